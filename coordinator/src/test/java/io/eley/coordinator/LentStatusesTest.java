package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.wire.MetadataMessage.Forget;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one client changes, and what another is told that has just asked for it: hundreds of round
 * trips, of which a busy machine may take some tenths of a second for each.
 */
@Timeout(300)
class LentStatusesTest {
  private TestDeployment deployment;
  private EleyClient reader;
  private EleyClient writer;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    deployment = new TestDeployment(temp, BufferMode.NO_ACTION);
    reader = deployment.client();
    writer = deployment.client();
  }

  @AfterEach
  void stop() {
    writer.close();
    reader.close();
    deployment.close();
  }

  private void write(String path, String content) throws IOException {
    try (var out = writer.origin().create(path, true)) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
    writer.forget(path);
  }

  private void requireNone(EleyClient client, String path) {
    assertThatThrownBy(() -> client.stat(path))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void whateverAnotherClientChangesIsSeenAtOnce() throws Exception {
    Origin origin = writer.origin();
    for (int i = 1; i < 60; i++) {
      String before = "/f" + i % 2;
      String after = "/f" + (i + 1) % 2;
      write(before, "x".repeat(i));
      assertThat(reader.stat(before).length()).isEqualTo(i);
      origin.setPermissions(before, 0400 + i % 64);
      writer.forget(before);
      assertThat(reader.stat(before).permissions()).isEqualTo(0400 + i % 64);
      origin.rename(before, after);
      writer.forget(before);
      writer.forget(after);
      requireNone(reader, before);
      assertThat(reader.stat(after).length()).isEqualTo(i);
      origin.delete(after, false);
      writer.forget(after);
      requireNone(reader, after);
      requireNone(writer, after);
    }
  }

  @Test
  void whatIsWrittenPastEleyIsSeenFromTheNextOpeningOn() throws Exception {
    write("/f", "12345");
    assertThat(reader.stat("/f").length()).isEqualTo(5);
    Files.writeString(deployment.origin.resolve("f"), "123456");
    assertThat(reader.stat("/f").length()).isEqualTo(5);
    try (var file = reader.openFile("/f")) {
      assertThat(file.status().length()).isEqualTo(6);
      assertThat(reader.stat("/f").length()).isEqualTo(6);
    }
  }

  @Test
  void whileOthersAskAllTheTimeNobodyIsToldWhatWasBefore() throws Exception {
    write("/f", "1");
    var returned = new AtomicLong(1);
    var over = new AtomicBoolean();
    var asked = new AtomicLong();
    var asking =
        CompletableFuture.supplyAsync(
            () -> {
              do { // once in any case, however late it begins
                long least = returned.get();
                assertThat(length(reader)).isGreaterThanOrEqualTo(least);
                asked.incrementAndGet();
              } while (!over.get());
              return asked.get();
            });
    for (int length = 2; length < 200; length++) {
      Files.writeString(deployment.origin.resolve("f"), "x", StandardOpenOption.APPEND);
      writer.forget("/f");
      returned.set(length);
      assertThat(length(writer)).isEqualTo(length);
    }
    over.set(true);
    assertThat(asking.join()).isPositive();
  }

  private static long length(EleyClient client) {
    try {
      return client.stat("/f").length();
    } catch (EleyException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aClientThatNeverConfirmsKeepsAWriterWaitingButNotForEver() throws Exception {
    write("/f", "12345");
    Connection deaf = deployment.connect();
    TestDeployment.ask(deaf, new GetStatus("/f", false));
    assertThat(TestDeployment.ask(deployment.connect(), new Forget("/f"))).isEqualTo(new Ok());
    TestDeployment.ask(deaf, new GetStatus("/f", false));
    var change = deployment.connect().request(new Forget("/f"));
    deaf.close();
    change.join();
  }
}
