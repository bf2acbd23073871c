package io.eley.ior;

import io.eley.bb.api.error.EleyException;
import java.net.URI;

/**
 * Makes storage out of addresses of one URI scheme, so that a load can run against other storage
 * than plain files. Found through {@link java.util.ServiceLoader}.
 */
public interface IorStorageProvider {
  /** The scheme of its addresses, in lower case. */
  String scheme();

  /**
   * Reads an address; connects to nothing.
   *
   * @throws EleyException in one line that shows the form, when the address has another
   */
  IorStorage parse(URI address) throws EleyException;
}
