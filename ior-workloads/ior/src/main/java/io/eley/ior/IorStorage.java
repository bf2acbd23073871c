package io.eley.ior;

import io.eley.bb.api.error.EleyException;

/** Storage that an address leads to, before anybody has connected to it. */
public interface IorStorage {
  /** The absolute path behind the address: the test file, when the address is given as one. */
  String path();

  /** The address in full: a child process that gets it needs nothing else to connect. */
  String address();

  /**
   * Connects. Blocks.
   *
   * @param files plain files, for storage whose bytes are in files
   * @throws EleyException when the storage does not answer or refuses
   */
  IorTarget connect(IorTarget files) throws EleyException;
}
