package io.eley.ior;

/** What a phase does. */
enum IorOperation {
  WRITE("write"),
  READ("read");

  private final String label;

  IorOperation(String label) {
    this.label = label;
  }

  /** IOR's word for it. */
  String label() {
    return label;
  }
}
