package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real processes that the system gives no further thread: one line in the log, right bytes
 * throughout, and the buffer serves again when the limit is gone.
 */
@Timeout(120)
@Tag("slow")
class ScarceThreadsTest {
  @TempDir private Path temp;
  private StarvedDeployment deployment;

  @BeforeEach
  void start() throws IOException {
    deployment = new StarvedDeployment(temp);
  }

  @AfterEach
  void stop() {
    deployment.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-1", "coordinator"})
  void whatIsOutOfThreadsSaysSoOnceAndGoesOn(String name) throws Exception {
    var starved = deployment.process(name);
    await().until(() -> deployment.log("node-1").stream().anyMatch(l -> l.contains("has joined")));
    ThreadLimit limit = ThreadLimit.on(starved);
    try (var client = deployment.client()) {
      deployment.requireRightBytes(client);
      await()
          .untilAsserted(
              () ->
                  assertThat(deployment.problems(name))
                      .singleElement()
                      .asString()
                      .contains("no thread can be started"));
      for (int i = 0; i < 20; i++) {
        deployment.requireRightBytes(client);
      }
      try (var late = deployment.client()) {
        deployment.requireRightBytes(late);
      }
      assertThat(deployment.problems(name)).as("lines of the log").hasSize(1);
    } finally {
      limit.lift();
    }
    deployment.awaitServed();
    assertThat(deployment.process(name)).as("the same process").isEqualTo(starved);
    assertThat(deployment.problems(name)).as("lines of the log").hasSize(1);
  }

  @Test
  void aJobThatIsOutOfThreadsReadsOnAndASecondClientReadsTheOrigin() throws Exception {
    try (var job = new StarvedJob(deployment)) {
      ThreadLimit limit = ThreadLimit.on(job.process());
      try {
        job.requireRightBytes(true);
        assertThat(job.openAnother()).isEqualTo("opened " + StarvedDeployment.LENGTH);
      } finally {
        limit.lift();
      }
    }
  }
}
