package io.eley.bb.api.wire;

import io.eley.bb.api.StayCause;

/**
 * Outputs of an application's map tasks that stayed with its executors for one cause, since it
 * began.
 *
 * @param outputs how many, those of a task's every attempt
 * @param bytes of their data
 */
public record Stayed(StayCause cause, long outputs, long bytes) {
  public Stayed {
    if (outputs < 0 || bytes < 0) {
      throw new IllegalArgumentException("negative count of outputs that stayed");
    }
  }

  void write(WireWriter out) {
    out.constant(cause).i64(outputs).i64(bytes);
  }

  static Stayed read(WireReader in) {
    return new Stayed(in.constant(StayCause.class), in.i64(), in.i64());
  }
}
