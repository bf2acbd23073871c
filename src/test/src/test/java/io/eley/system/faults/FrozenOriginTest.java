package io.eley.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.BbFile;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.system.Deployments;
import io.eley.test.fixtures.FreezingOrigin;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * File servers that do not answer any more, as a frozen OrangeFS server does to its clients: it
 * costs threads, never a process, shows in the status, and is over when they answer again.
 */
@Timeout(180)
class FrozenOriginTest {
  private static final int BLOCK = Deployments.GEOMETRY.blockSize();

  @TempDir private Path temp;

  @AfterEach
  void thaw() {
    FreezingOrigin.freeze(false);
  }

  @Test
  void whatIsInRamIsServedTheRestIsOneClearErrorAndAllIsWellAfterwards() throws Exception {
    byte[] content = new byte[6 * BLOCK];
    new Random(3).nextBytes(content);
    Path origin = Files.createDirectory(temp.resolve("origin"));
    Files.write(origin.resolve("data"), content);
    try (var deployment =
            new Deployments(
                temp,
                "freezing://" + origin,
                BufferMode.NO_ACTION,
                // Long enough for calls that do come back, on a busy machine, too.
                "eley.metadata.deadline",
                "6s",
                "eley.fetch.deadline",
                "6s",
                "eley.client.origin-deadline",
                "6s",
                "eley.client.local",
                "false",
                "eley.client.read-ahead",
                "false");
        var client = deployment.client()) {
      deployment.startNode("a", "64m");
      try (var open = client.openFile("/data")) {
        assertThat(read(open, 0, 2 * BLOCK)).isEqualTo(Arrays.copyOf(content, 2 * BLOCK));
        FreezingOrigin.freeze(true);

        assertThat(read(open, 0, 2 * BLOCK)).isEqualTo(Arrays.copyOf(content, 2 * BLOCK));
        assertHung(() -> read(open, 3L * BLOCK, 100));
        assertHung(() -> client.openFile("/data"));
        await()
            .untilAsserted(
                () ->
                    assertThat(deployment.report().nodes().get(0).counters().hungOriginCalls())
                        .isPositive());

        FreezingOrigin.freeze(false);
        await()
            .untilAsserted(
                () ->
                    assertThat(deployment.report().nodes().get(0).counters().hungOriginCalls())
                        .isZero());
      }
      assertThat(all(client)).isEqualTo(content);
    }
  }

  private static void assertHung(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    long began = System.nanoTime();
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EleyException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_HUNG);
              assertThat(e.getMessage()).contains("/data").doesNotContain("\n");
            });
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(40));
  }

  private static byte[] all(EleyClient client) throws EleyException {
    try (var file = client.openFile("/data")) {
      return read(file, 0, (int) file.status().length());
    }
  }

  private static byte[] read(BbFile open, long position, int length) throws EleyException {
    var target = ByteBuffer.allocate(length);
    open.readFully(position, target);
    return target.array();
  }
}
