package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.coordinator.config.CoordinatorOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others write on the origin, past Eley, and what clients of a real coordinator see of it. */
class NewFilesTest {
  @TempDir private Path temporary;
  private Path data;
  private CoordinatorServer coordinator;
  private EleyClient old;

  @BeforeEach
  void start() throws Exception {
    Path origin = Files.createDirectory(temporary.resolve("origin"));
    data = Files.createDirectory(origin.resolve("data"));
    coordinator =
        CoordinatorServer.start(
            CoordinatorOptions.of(
                temporary.resolve("deployment"),
                origin.toString(),
                BufferMode.FULL_DELAY,
                BlockGeometry.DEFAULT,
                "127.0.0.1"));
    old = client();
  }

  @AfterEach
  void stop() {
    old.close();
    coordinator.close();
  }

  private EleyClient client() throws EleyException {
    return EleyClient.open(
        ClientOptions.from(
            Settings.of(Map.of("eley.deployment", temporary.resolve("deployment").toString()))));
  }

  private static List<String> names(EleyClient client) throws EleyException {
    return client.list("/data").stream().map(OriginStatus::path).toList();
  }

  private void append(String name) throws IOException {
    Files.writeString(data.resolve(name), "more", StandardOpenOption.APPEND);
  }

  @Test
  void aListingShowsWhatWasWrittenRenamedAndDeletedBeforeIt() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(names(old)).doesNotContain("/data/part-" + i);
      Files.writeString(data.resolve("_temporary"), "x");
      Files.move(data.resolve("_temporary"), data.resolve("part-" + i));
      assertThat(names(old)).contains("/data/part-" + i);
      if (i % 3 == 0) {
        Files.delete(data.resolve("part-" + i));
        assertThat(names(old)).doesNotContain("/data/part-" + i);
      }
    }
  }

  @Test
  void whatDidNotExistIsSeenAsSoonAsItDoes() throws Exception {
    assertThatThrownBy(() -> old.stat("/data/_SUCCESS"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    Files.writeString(data.resolve("_SUCCESS"), "");
    assertThat(old.stat("/data/_SUCCESS").length()).isZero();
  }

  @Test
  void aFileThatHasGrownIsSeenByWhoOpensItAndByWhoComesLater() throws Exception {
    Files.writeString(data.resolve("log"), "once");
    assertThat(old.list("/data").get(0).length()).isEqualTo(4);
    for (int length = 8; length < 40; length += 4) {
      append("log");
      try (var file = old.openFile("/data/log");
          EleyClient later = client()) {
        assertThat(file.status().length()).isEqualTo(length);
        assertThat(later.stat("/data/log").length()).isEqualTo(length);
        assertThat(later.list("/data").get(0).length()).isEqualTo(length);
      }
    }
  }
}
