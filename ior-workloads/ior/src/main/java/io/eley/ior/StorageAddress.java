package io.eley.ior;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.URI;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Finds the storage that an address leads to among the providers on the class path. */
final class StorageAddress {
  private static final Pattern WITH_SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*://.*");

  private StorageAddress() {}

  /** Whether a test file's name is an address and not a path. */
  static boolean matches(String file) {
    return WITH_SCHEME.matcher(file).matches();
  }

  /**
   * Finds it.
   *
   * @throws EleyException {@code NOT_FOUND} naming the schemes that there are
   */
  static IorStorage find(URI address) throws EleyException {
    var known = new TreeSet<String>();
    for (var provider :
        ServiceLoader.load(IorStorageProvider.class, IorStorageProvider.class.getClassLoader())) {
      if (provider.scheme().equals(address.getScheme())) {
        return provider.parse(address);
      }
      known.add(provider.scheme());
    }
    throw new EleyException(
        ErrorCode.NOT_FOUND,
        "no storage adapter for '"
            + address
            + "' on the class path; there are plain files"
            + (known.isEmpty() ? "" : " and " + String.join(", ", known)));
  }
}
