package io.eley.ior;

import java.util.Locale;

/** What a phase does. */
enum IorOperation {
  WRITE,
  READ;

  /** IOR's word for it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
