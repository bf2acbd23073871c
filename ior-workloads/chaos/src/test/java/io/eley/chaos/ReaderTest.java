package io.eley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader that would overlook something is worse than none: it must find what is wrong. */
class ReaderTest {
  private static final int LENGTH = 3 << 20;

  @TempDir private Path origin;
  private final Findings findings = new Findings();

  private EleyClient client() throws EleyException {
    return EleyClient.open(
        ClientOptions.from(Settings.of(Map.of(ClientKeys.ORIGIN.name(), origin.toString()))));
  }

  private void read(int streams, ChaosFile... files) throws EleyException {
    try (EleyClient client = client()) {
      for (int i = 0; i < streams; i++) {
        new Reader(client, List.of(files), new Random(i), findings, () -> true).run();
      }
    }
  }

  private ChaosFile file(String path, long seed) throws Exception {
    var file = new ChaosFile(origin, path);
    file.replace(seed, LENGTH);
    return file;
  }

  @Test
  void rightBytesAreRight() throws Exception {
    read(20, file("/a", 1), file("/b", 2));
    assertThat(findings.wrong()).isEmpty();
    assertThat(findings.failed()).isEmpty();
    assertThat(findings.reads()).isEqualTo(20 * 6);
    assertThat(findings.bytes()).isPositive();
  }

  @Test
  void bytesOfAnotherFileAreWrong() throws Exception {
    var a = file("/a", 1);
    file("/b", 2);
    Files.copy(
        origin.resolve("b"),
        origin.resolve("a"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    read(1, a);
    assertThat(findings.wrong()).hasSize(6).allMatch(line -> line.startsWith("/a: "));
  }

  @Test
  void oneWrongByteIsFoundByWhoReadsIt() throws Exception {
    var a = file("/a", 1);
    byte[] bytes = Files.readAllBytes(origin.resolve("a"));
    for (int i = 0; i < LENGTH; i += 1024) {
      bytes[i] ^= 1;
    }
    Files.write(origin.resolve("a"), bytes);
    read(20, a);
    assertThat(findings.wrong()).isNotEmpty();
  }

  @Test
  void anyWholeGenerationIsRight() throws Exception {
    var a = file("/a", 1);
    a.replace(2, LENGTH);
    a.replace(3, 1000);
    read(10, a);
    assertThat(findings.wrong()).isEmpty();
  }

  @Test
  void aMixtureOfTwoGenerationsIsWrong() throws Exception {
    var a = file("/a", 1);
    byte[] old = Files.readAllBytes(origin.resolve("a"));
    a.replace(2, LENGTH);
    byte[] mixed = Files.readAllBytes(origin.resolve("a"));
    for (int block = 0; block < LENGTH; block += 1 << 18) {
      if (block / (1 << 18) % 2 == 0) {
        System.arraycopy(old, block, mixed, block, 1 << 18);
      }
    }
    Files.write(origin.resolve("a"), mixed);
    read(20, a);
    assertThat(findings.wrong()).isNotEmpty();
  }

  /** What a cache of the file's former version would serve. */
  @Test
  void theContentBeforeTheOneThatWasThereIsWrong() throws Exception {
    var a = file("/a", 1);
    byte[] old = Files.readAllBytes(origin.resolve("a"));
    a.replace(2, LENGTH);
    Files.write(origin.resolve("a"), old);
    read(1, a);
    assertThat(findings.wrong()).isNotEmpty();
  }

  @Test
  void aFileThatWasNeverReplacedIsNotCalledReplaced() throws Exception {
    var a = file("/a", 1);
    // What the reader asks once its stream is open: the file has another time from then on.
    var random =
        new Random(1) {
          @Override
          public boolean nextBoolean() {
            try {
              Files.setLastModifiedTime(origin.resolve("a"), FileTime.fromMillis(7));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            return super.nextBoolean();
          }
        };
    try (EleyClient client = client()) {
      new Reader(client, List.of(a), random, findings, () -> true).run();
    }
    assertThat(findings.replaced()).isZero();
    assertThat(findings.failed()).hasSize(1).allMatch(line -> line.startsWith("/a: STALE_VERSION"));
  }

  @Test
  void aFileThatIsNotThereIsAFailedRead() throws Exception {
    var gone = file("/gone", 1);
    Files.delete(origin.resolve("gone"));
    read(3, gone);
    assertThat(findings.failed()).hasSize(3).allMatch(line -> line.startsWith("/gone: NOT_FOUND"));
  }
}
