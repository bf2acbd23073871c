package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
   * The files that match. Blocks for a question a directory.
   *
   * @throws EleyException {@code NOT_FOUND} when there are none
   */
  public List<OriginStatus> matching(String pattern) throws EleyException {
    String below = below(pattern);
    Optional<OriginStatus> exact = exact(below);
    var found = new ArrayList<OriginStatus>();
    if (exact.isPresent() && !exact.get().directory()) {
      found.add(exact.get());
    } else if (exact.isPresent()) {
      walk(below, path -> true, found);
    } else {
      walk(fixedPart(below), FileSystems.getDefault().getPathMatcher("glob:" + below), found);
    }
    found.removeIf(f -> f.version().length() == 0);
    if (found.isEmpty()) {
      throw new EleyException(ErrorCode.NOT_FOUND, "no file below " + root + " matches " + pattern);
    }
    return found;
  }

  private String below(String pattern) {
    String rest = pattern.startsWith(root + "/") ? pattern.substring(root.length()) : pattern;
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  private Optional<OriginStatus> exact(String path) throws EleyException {
    if (path.matches(".*[*?\\[{].*")) {
      return Optional.empty();
    }
    try {
      return Optional.of(listing.stat(path));
    } catch (EleyException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The directory above the first wildcard. */
  private static String fixedPart(String glob) {
    int wild = glob.length();
    for (char c : new char[] {'*', '?', '[', '{'}) {
      int at = glob.indexOf(c);
      wild = at < 0 ? wild : Math.min(wild, at);
    }
    int slash = glob.lastIndexOf('/', wild - 1);
    return slash <= 0 ? "/" : glob.substring(0, slash);
  }

  private void walk(String directory, PathMatcher matcher, List<OriginStatus> found)
      throws EleyException {
    for (OriginStatus child : children(directory)) {
      String name = child.path().substring(child.path().lastIndexOf('/') + 1);
      if (name.startsWith("_") || name.startsWith(".")) {
        continue;
      }
      if (child.directory()) {
        walk(child.path(), matcher, found);
      } else if (matcher.matches(Path.of(child.path()))) {
        found.add(child);
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
