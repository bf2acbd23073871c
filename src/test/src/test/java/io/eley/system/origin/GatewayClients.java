package io.eley.system.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Some clients, each with a {@code FileSystem} and a thread of its own, that upload objects at once
 * and then download those of another each, and compare checksums.
 */
final class GatewayClients implements AutoCloseable {
  private static final int PIECE = 1 << 20;

  /**
   * How long something took.
   *
   * @param each seconds of each object
   * @param all seconds from the first begin to the last end
   */
  record Times(List<Double> each, double all) {}

  private final Path directory;
  private final int mebibytes;
  private final int rounds;
  private final List<FileSystem> clients = new ArrayList<>();
  private final long[][] sums;
  private final ExecutorService threads;

  /**
   * Opens them.
   *
   * @param directory of their objects
   * @param rounds objects of each client, one after the other
   */
  GatewayClients(URI directory, Configuration conf, int count, int mebibytes, int rounds)
      throws IOException {
    this.directory = new Path(directory);
    this.mebibytes = mebibytes;
    this.rounds = rounds;
    sums = new long[count][rounds];
    for (int i = 0; i < count; i++) {
      clients.add(FileSystem.newInstance(directory, conf));
    }
    threads = Executors.newFixedThreadPool(count);
  }

  private interface Work {
    void of(FileSystem files, int client, int round) throws IOException;
  }

  Times upload() throws Exception {
    return all(this::upload);
  }

  /** Each what its neighbour uploaded; a single one its own, through a client that is new. */
  Times download() throws Exception {
    return all(this::download);
  }

  private Times all(Work work) throws Exception {
    var together = new CyclicBarrier(clients.size());
    var each = new ArrayList<Double>();
    long[] first = {Long.MAX_VALUE};
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      int client = i;
      ends.add(
          threads.submit(
              () -> {
                together.await();
                for (int round = 0; round < rounds; round++) {
                  long begun = System.nanoTime();
                  work.of(clients.get(client), client, round);
                  double seconds = (System.nanoTime() - begun) / 1e9;
                  synchronized (each) {
                    each.add(seconds);
                    first[0] = Math.min(first[0], begun);
                  }
                }
                return null;
              }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    return new Times(each, (System.nanoTime() - first[0]) / 1e9);
  }

  private Path object(int client, int round) {
    return new Path(directory, "c" + client + "-" + round);
  }

  private void upload(FileSystem files, int client, int round) throws IOException {
    var random = new Random(1000L * client + round);
    var crc = new CRC32();
    byte[] piece = new byte[PIECE];
    try (var out = files.create(object(client, round))) {
      for (int i = 0; i < mebibytes; i++) {
        random.nextBytes(piece);
        crc.update(piece);
        out.write(piece);
      }
    }
    sums[client][round] = crc.getValue();
  }

  private void download(FileSystem files, int client, int round) throws IOException {
    int other = (client + 1) % clients.size();
    var crc = new CRC32();
    byte[] piece = new byte[PIECE];
    long bytes = 0;
    try (var in = files.open(object(other, round))) {
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        crc.update(piece, 0, n);
        bytes += n;
      }
    }
    assertThat(bytes).isEqualTo((long) mebibytes * PIECE);
    assertThat(crc.getValue()).as("%s", object(other, round)).isEqualTo(sums[other][round]);
  }

  /** How many objects there are of them, as one of them lists the directory. */
  int objects() throws IOException {
    return clients.get(0).listStatus(directory).length;
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (FileSystem client : clients) {
      client.close();
    }
  }
}
