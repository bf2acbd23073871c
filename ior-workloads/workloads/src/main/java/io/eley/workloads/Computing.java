package io.eley.workloads;

import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.function.Function;

/**
 * Takes time over lines, as computing would on processors that this machine does not have: so many
 * milliseconds a MiB, in pieces of 64 KiB. Each task has a copy of its own.
 */
final class Computing implements Function<String, String> {
  private static final long serialVersionUID = 1;
  private static final int PIECE = 64 << 10;

  private final int millisPerMebibyte;
  private long bytes;

  Computing(int millisPerMebibyte) {
    this.millisPerMebibyte = millisPerMebibyte;
  }

  @Override
  public String call(String line) throws InterruptedException {
    bytes += line.length() + 1;
    if (bytes >= PIECE) {
      TimeUnit.MICROSECONDS.sleep((1000 * bytes * millisPerMebibyte) >> 20);
      bytes = 0;
    }
    return line;
  }
}
