package io.eley.demo;

import io.eley.bb.api.config.DataSize;
import io.eley.demo.DemoOptions.Hpc;
import io.eley.demo.DemoOptions.Input;
import io.eley.demo.DemoOptions.PfsSettings;

/**
 * How large everything is made, given how fast this machine computes. Worked example: two tasks
 * that compute 60 MiB/s together, splits of 32 MiB, 10 s aimed at. A wave is 64 MiB, so 10 waves
 * (640 MiB); the capacity is a quarter more, 75 MiB/s, since the HPC application takes its part; a
 * phase of 3 s by four tasks is 225 MiB, 56 MiB each in whole transfers of 1 MiB.
 *
 * @param bytesPerSecond capacity of the emulated PFS
 * @param streamBytesPerSecond what one of its streams can move at most
 * @param waves of the input
 * @param waveBytes of one wave
 * @param hpcTaskBytes what one task of the HPC application writes in a phase
 */
record Sizing(
    long bytesPerSecond, long streamBytesPerSecond, int waves, long waveBytes, long hpcTaskBytes) {

  /**
   * The sizes.
   *
   * @param computeRate bytes per second that all slots compute together
   * @param pfs capacities to derive as far as they are not given
   * @param slots tasks that run at once
   */
  static Sizing of(Input input, Hpc hpc, long computeRate, PfsSettings pfs, int slots) {
    var given = pfs.capacity();
    long capacity = given == null ? computeRate + computeRate / 4 : given.bytes();
    var stream = pfs.streamRate();
    long streamRate = stream == null ? capacity / slots : stream.bytes();
    long wave = input.split().bytes() * slots;
    var size = input.size();
    long wanted = size != null ? size.bytes() : bytes(input.mapSeconds().toMillis(), computeRate);
    int waves = Math.toIntExact(Math.max(input.leastWaves(), (wanted + wave - 1) / wave));
    long transfer = hpc.transfer().bytes();
    long task = bytes(hpc.phase().toMillis(), capacity) / hpc.tasks();
    return new Sizing(capacity, streamRate, waves, wave, Math.max(1, task / transfer) * transfer);
  }

  long inputBytes() {
    return waves * waveBytes;
  }

  /**
   * Bytes the experiment puts on its disk: the input; with Sort, the same in shuffle files and
   * again in the result; buffers; what the HPC application writes; logs.
   */
  static long diskBytes(long inputBytes, long bufferBytes, long hpcBytes) {
    return 3 * inputBytes + bufferBytes + hpcBytes + DataSize.ofMebibytes(256).bytes();
  }

  private static long bytes(long millis, long bytesPerSecond) {
    return Math.multiplyExact(millis, bytesPerSecond) / 1000;
  }
}
