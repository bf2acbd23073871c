package io.eley.bb.api.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A keytool that does not do what it should. */
class KeytoolTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void oneThatHangsIsEndedAtItsDeadline() {
    var hanging = List.of("sleep", "60.125");
    assertThatThrownBy(() -> Keytool.run(hanging, "secret", Duration.ofMillis(100)))
        .isInstanceOf(IOException.class)
        .hasMessage("keytool has not made a key within 100 ms");
    await().until(() -> ProcessHandle.current().children().noneMatch(KeytoolTest::hangs));
  }

  private static boolean hangs(ProcessHandle child) {
    return child.info().arguments().filter(a -> List.of(a).contains("60.125")).isPresent();
  }

  @Test
  void oneThatFailsIsQuoted() {
    var failing = List.of("sh", "-c", "echo out of luck; exit 1");
    assertThatThrownBy(() -> Keytool.run(failing, "secret", LONG))
        .hasMessage("keytool cannot make a key: out of luck");
  }

  @Test
  void itReadsNothingAndHasThePasswordInItsEnvironment() throws Exception {
    var asking = List.of("sh", "-c", "read line; test \"$ELEY_KEYTOOL_PASSWORD\" = secret");
    Keytool.run(asking, "secret", LONG);
    assertThatThrownBy(() -> Keytool.run(asking, "other", LONG)).isInstanceOf(IOException.class);
  }
}
