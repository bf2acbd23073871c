package io.eley.system.pfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.client.EleyClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Files {@code f0}, {@code f1}, … of the origin, each with random bytes of its own.
 *
 * @param count how many
 * @param bytes of each
 */
record RandomFiles(int count, int bytes) {
  long total() {
    return (long) count * bytes;
  }

  void writeTo(Path directory) throws IOException {
    for (int i = 0; i < count; i++) {
      Files.write(directory.resolve("f" + i), content(i));
    }
  }

  private byte[] content(int i) {
    byte[] content = new byte[bytes];
    new Random(i).nextBytes(content);
    return content;
  }

  /** Reads all of them once, each reader a file at a time, and compares every byte. */
  CompletableFuture<Void> readAll(EleyClient client, int readers) {
    return CompletableFuture.allOf(
        IntStream.range(0, readers)
            .mapToObj(
                first ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = first; i < count; i += readers) {
                            read(client, i);
                          }
                        },
                        task -> new Thread(task, "reader").start()))
            .toArray(CompletableFuture[]::new));
  }

  private void read(EleyClient client, int i) {
    try (var file = client.openFile("/f" + i)) {
      var read = ByteBuffer.allocate(bytes);
      file.readFully(0, read);
      assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(content(i)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
