package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.URI;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.TreeSet;

/**
 * Opens an origin by its address: a directory, or a URI whose scheme an {@link OriginProvider}
 * serves.
 */
public final class Origins {
  private Origins() {}

  /**
   * Opens an origin.
   *
   * @param address {@code /mnt/pfs}, {@code file:///mnt/pfs}, or another provider's URI
   * @param client see {@link OriginProvider#open}
   */
  public static Origin open(String address, String client) throws EleyException {
    URI uri = toUri(address);
    if ("file".equals(uri.getScheme())) {
      return MountedOrigin.open(Path.of(local(uri)));
    }
    var known = new TreeSet<String>();
    known.add("file");
    for (var provider : ServiceLoader.load(OriginProvider.class, Origins.class.getClassLoader())) {
      if (provider.scheme().equals(uri.getScheme())) {
        return provider.open(uri, client);
      }
      known.add(provider.scheme());
    }
    throw new EleyException(
        ErrorCode.NOT_FOUND,
        "no origin adapter for '"
            + address
            + "' on the class path; there are "
            + String.join(", ", known));
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
