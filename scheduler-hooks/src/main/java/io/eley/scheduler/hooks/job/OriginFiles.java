package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Files of the origin by pattern: {@code * ? [ ]} and {@code **} for any depth, or a directory.
 * Hidden files ({@code .x}, {@code _x}) and empty ones are left out, as Hadoop's readers do.
 */
public final class OriginFiles {
  /** What the origin has; the port to the coordinator, which caches it. */
  public interface Listing {
    /** A file's attributes; {@code NOT_FOUND} when there is none. */
    OriginStatus stat(String path) throws EleyException;

    /** All children of a directory, in the order of their names. */
    List<OriginStatus> list(String path) throws EleyException;
  }

  private static final Pattern WILDCARD = Pattern.compile("[*?\\[{]");

  private final Listing listing;
  private final String root;

  /**
   * Lists nothing yet.
   *
   * @param root where the origin is mounted; patterns may begin with it
   */
  public OriginFiles(Listing listing, String root) {
    this.listing = listing;
    this.root = root.replaceAll("/+$", "");
  }

  /**
   * The files that match. Blocks for a question a directory that may hold some.
   *
   * @throws EleyException {@code NOT_FOUND} when there are none, {@code MALFORMED} when it is no
   *     pattern
   */
  public List<OriginStatus> matching(String pattern) throws EleyException {
    String below = below(pattern);
    var found = new ArrayList<OriginStatus>();
    if (WILDCARD.matcher(below).find()) {
      OriginGlob glob = glob(below);
      walk(glob.fixedPart(), glob::leadsInto, glob::matches, found);
    } else {
      named(below, found);
    }
    found.removeIf(f -> f.version().length() == 0);
    if (found.isEmpty()) {
      throw new EleyException(ErrorCode.NOT_FOUND, "no file below " + root + " matches " + pattern);
    }
    return found;
  }

  private static OriginGlob glob(String pattern) throws EleyException {
    try {
      return new OriginGlob(pattern);
    } catch (PatternSyntaxException e) {
      throw new EleyException(
          ErrorCode.MALFORMED, "'" + pattern + "' is no pattern: " + e.getDescription(), e);
    }
  }

  private String below(String pattern) {
    String rest = pattern.startsWith(root + "/") ? pattern.substring(root.length()) : pattern;
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  private void named(String path, List<OriginStatus> found) throws EleyException {
    OriginStatus status;
    try {
      status = listing.stat(path);
    } catch (EleyException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return;
      }
      throw e;
    }
    if (status.directory()) {
      walk(path, directory -> true, file -> true, found);
    } else {
      found.add(status);
    }
  }

  /** A directory that leads nowhere may be somebody's alone, or large: it is not looked into. */
  private void walk(
      String directory,
      Predicate<String> leadsOn,
      Predicate<String> matches,
      List<OriginStatus> found)
      throws EleyException {
    for (OriginStatus child : children(directory)) {
      String path = child.path();
      String name = path.substring(path.lastIndexOf('/') + 1);
      if (name.startsWith("_") || name.startsWith(".")) {
        continue;
      }
      if (!child.directory() && matches.test(path)) {
        found.add(child);
      } else if (child.directory() && leadsOn.test(path)) {
        walk(path, leadsOn, matches, found);
      }
    }
  }

  private List<OriginStatus> children(String directory) throws EleyException {
    try {
      return listing.list(directory);
    } catch (EleyException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return List.of();
      }
      throw e;
    }
  }
}
