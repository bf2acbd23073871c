package io.eley.bb.api;

import java.util.ArrayDeque;

/**
 * Paths below an origin's root. They are absolute, use {@code /}, carry no {@code .}, {@code ..} or
 * empty component and at most {@value #MAX_LENGTH} characters, so joining one to the root can never
 * leave the origin by its text (symbolic links are the origin's own business: see {@link
 * io.eley.bb.api.origin.MountedOrigin}).
 */
public final class OriginPaths {
  /** PATH_MAX on Linux (limits.h). */
  public static final int MAX_LENGTH = 4096;

  public static final String ROOT = "/";

  private OriginPaths() {}

  /**
   * The normal form of a path.
   *
   * @throws IllegalArgumentException when the path is relative, too long, holds a NUL, or climbs
   *     above the root
   */
  public static String normalise(String path) {
    if (!path.startsWith(ROOT)) {
      throw new IllegalArgumentException("path is not absolute: " + path);
    }
    requireShortAndClean(path);
    var parts = new ArrayDeque<String>();
    for (String part : path.split("/", -1)) {
      switch (part) {
        case "", "." -> {}
        case ".." -> {
          if (parts.pollLast() == null) {
            throw new IllegalArgumentException("path leaves the origin: " + path);
          }
        }
        default -> parts.addLast(part);
      }
    }
    return ROOT + String.join("/", parts);
  }

  /**
   * Checks without building anything that a path is in normal form.
   *
   * @throws IllegalArgumentException when it is not
   */
  public static void requireNormalised(String path) {
    requireShortAndClean(path);
    boolean bad =
        !path.startsWith(ROOT)
            || (path.length() > 1 && path.endsWith("/"))
            || path.contains("//")
            || path.contains("/./")
            || path.contains("/../")
            || path.endsWith("/.")
            || path.endsWith("/..");
    if (bad) {
      throw new IllegalArgumentException("not a normalised origin path: " + path);
    }
  }

  /** The parent of a normalised path; the root is its own parent. */
  public static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? ROOT : path.substring(0, slash);
  }

  private static void requireShortAndClean(String path) {
    if (path.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("path longer than " + MAX_LENGTH + " characters");
    }
    if (path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("path holds a NUL character");
    }
  }
}
