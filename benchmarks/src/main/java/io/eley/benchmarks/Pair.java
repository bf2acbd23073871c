package io.eley.benchmarks;

import java.util.List;

/**
 * An operation of ours and its limit.
 *
 * @param title for the table
 * @param name class and method of the JMH benchmarks, without "Ours" and "Raw"
 * @param limit the name of the benchmark that is the limit
 * @param bytes that one operation moves; zero when it is counted by operations
 * @param aim for the ratio of ours to the limit; zero for none
 */
record Pair(String title, String name, String limit, long bytes, double aim) {
  static final List<Pair> ALL =
      List.of(
          of("block read, TCP (16 MiB) / sendfile", "TcpReads.block", 16 << 20, 0.9),
          new Pair(
              "block read, TCP, verified / not",
              "TcpReads.blockVerified",
              "TcpReads.blockOurs",
              16 << 20,
              0.9),
          new Pair(
              "64 KiB read, TCP, verified / not",
              "TcpReads.smallVerified",
              "TcpReads.smallOurs",
              0,
              0.9),
          protection("authenticated block / sendfile", "authenticatedBlock", "blockRaw"),
          protection("encrypted block / sendfile", "encryptedBlock", "blockRaw"),
          protection("authenticated block / bare block", "authenticatedBlock", "blockOurs"),
          protection("encrypted block / bare block", "encryptedBlock", "blockOurs"),
          new Pair(
              "64 KiB, encrypted / bare",
              "ProtectedReads.encryptedSmall",
              "TcpReads.smallOurs",
              0,
              0),
          vectored("16 ranges side by side, TCP / stream", "near", 0.9),
          vectored("16 ranges anywhere, TCP / stream", "anywhere", 0.9),
          of("local read (1 MiB) / FileChannel.read", "LocalReads.sequential", 1 << 20, 0.9),
          new Pair(
              "local read (1 MiB), verified / not",
              "LocalReads.sequentialVerified",
              "LocalReads.sequentialOurs",
              1 << 20,
              0.9),
          new Pair(
              "64 KiB read, local, verified / not",
              "LocalReads.smallVerified",
              "LocalReads.smallOurs",
              0,
              0.9),
          of("64 KiB read, local / pread", "LocalReads.small", 0, 0),
          of("64 KiB read, local, 48 blocks / pread", "ScatteredReads.few", 0, 0.9),
          of("64 KiB, local, 1000 blocks / pread", "ScatteredReads.many", 0, 0.9),
          new Pair(
              "64 KiB, local, 1000, verified / pread",
              "ScatteredReads.manyVerified",
              "ScatteredReads.manyRaw",
              0,
              0),
          new Pair("64 KiB read, TCP / pread", "TcpReads.smallOurs", "LocalReads.smallRaw", 0, 0),
          of("64 KiB read, TCP / sendfile", "TcpReads.small", 0, 0),
          of("file status / readAttributes", "LocalReads.stat", 0, 0),
          of("status of a mounted file / stat", "StatusReads.mounted", 0, 0),
          of("store block (16 MiB) / file write", "StoreWrites.block", 16 << 20, 0));

  private static Pair of(String title, String name, long bytes, double aim) {
    return new Pair(title, name + "Ours", name + "Raw", bytes, aim);
  }

  private static Pair vectored(String title, String name, double aim) {
    return new Pair(title, "VectoredReads." + name, "VectoredReads.stream", 1 << 20, aim);
  }

  private static Pair protection(String title, String name, String limit) {
    return new Pair(title, "ProtectedReads." + name, "TcpReads." + limit, 16 << 20, 0);
  }

  /** A rate as text; from seconds an operation. */
  String rate(double seconds) {
    return bytes > 0
        ? String.format("%,.0f MiB/s", bytes / seconds / (1 << 20))
        : String.format("%,.0f /s", 1 / seconds);
  }
}
