package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens an origin by its address: a directory, or a URI whose scheme an {@link OriginProvider}
 * serves.
 */
public final class Origins {
  /** The name of class loaders of adapters that have libraries of their own, in our processes. */
  public static final String APART = "eley-origin";

  private static final Pattern AUTHORITY = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)");

  private static final Pattern HOST_AND_PORT =
      Pattern.compile("([^:\\[\\]]*|\\[[^\\]]*\\])(:[0-9]{1,5})?");

  private Origins() {}

  /**
   * Opens an origin whose adapter is on the process's class path.
   *
   * @param address {@code /mnt/pfs}, {@code file:///mnt/pfs}, or another provider's URI
   * @param client see {@link OriginProvider#open}
   */
  public static Origin open(String address, String client) throws EleyException {
    return open(address, client, "");
  }

  /**
   * Opens an origin. An adapter on the process's own class path goes before those of the class path
   * that is named.
   *
   * @param address {@code /mnt/pfs}, {@code file:///mnt/pfs}, or another provider's URI
   * @param client see {@link OriginProvider#open}
   * @param classPath of adapters with libraries of their own, see {@link
   *     io.eley.bb.api.config.OriginKeys#CLASS_PATH}; may be empty
   */
  public static Origin open(String address, String client, String classPath) throws EleyException {
    requireNoPassword(address);
    URI uri = toUri(address);
    if ("file".equals(uri.getScheme())) {
      return MountedOrigin.open(Path.of(local(uri)));
    }
    var known = new TreeSet<String>();
    known.add("file");
    ClassLoader ours = Origins.class.getClassLoader();
    try {
      Optional<OriginProvider> found = serving(uri, ours, known);
      if (found.isEmpty() && !classPath.isBlank()) {
        found = serving(uri, OriginClasses.loader(classPath), known);
      }
      if (found.isPresent()) {
        return found.get().open(uri, client);
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "classes for the origin '" + address + "' are missing: " + lacking(e),
          e);
    }
    throw new EleyException(
        ErrorCode.NOT_FOUND,
        "no origin adapter for '"
            + address
            + "' on the class path; there are "
            + String.join(", ", known));
  }

  /** One of this very scheme goes before one that serves others, too, wherever it stands. */
  private static Optional<OriginProvider> serving(URI uri, ClassLoader loader, Set<String> known) {
    Optional<OriginProvider> other = Optional.empty();
    for (var provider : ServiceLoader.load(OriginProvider.class, loader)) {
      if (provider.scheme().equals(uri.getScheme())) {
        return Optional.of(provider);
      }
      if (other.isEmpty() && provider.serves(uri)) {
        other = Optional.of(provider);
      }
      known.add(provider.scheme());
    }
    return other;
  }

  /**
   * Whether an origin is a directory, or has its adapter on the process's own class path; true of
   * what is no address, too, which {@link #open} tells.
   */
  public static boolean onOwnClassPath(String address) {
    try {
      URI uri = toUri(address);
      return "file".equals(uri.getScheme())
          || uri.getScheme() == null
          || ServiceLoader.load(OriginProvider.class, Origins.class.getClassLoader()).stream()
              .anyMatch(provider -> provider.get().serves(uri));
    } catch (EleyException e) {
      return true;
    }
  }

  /**
   * Whether somebody has put a password into an address; asks no more of it than that. A secret may
   * have slashes, as those of AWS have: then its first piece stands where a port would.
   */
  public static boolean hasPassword(String address) {
    Matcher parts = AUTHORITY.matcher(address);
    if (!parts.find()) {
      return false;
    }
    String authority = parts.group(1).replaceAll("(?i)%3a", ":");
    int at = authority.lastIndexOf('@');
    if (authority.lastIndexOf(':', at) >= 0) {
      return true;
    }
    return Arrays.stream(authority.substring(at + 1).split(",", -1))
        .anyMatch(host -> host.contains(":") && !HOST_AND_PORT.matcher(host).matches());
  }

  /**
   * The path of an address, by which the origin's files are named without it: all of a directory,
   * which is plain text, and what a URI has behind its authority; may be empty.
   */
  public static String path(String address) {
    return address.startsWith("/") ? address : URI.create(address).getPath();
  }

  /** What somebody typed into an address would be in logs, pages and command lines. */
  private static void requireNoPassword(String address) throws EleyException {
    if (hasPassword(address)) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "an origin's address takes no password; name credentials in Hadoop's own configuration");
    }
  }

  private static String lacking(Throwable error) {
    Throwable deepest = error;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return String.valueOf(deepest.getMessage()).replace('/', '.');
  }

  /** Without a host, which the JDK does not take. */
  private static URI local(URI file) {
    return URI.create("file://" + file.getRawPath());
  }

  private static URI toUri(String address) throws EleyException {
    try {
      return address.startsWith("/")
          ? FileNames.resolve(Path.of("/"), address).toUri()
          : URI.create(address);
    } catch (IllegalArgumentException e) {
      throw new EleyException(ErrorCode.NOT_FOUND, "not an origin address: '" + address + "'", e);
    }
  }
}
