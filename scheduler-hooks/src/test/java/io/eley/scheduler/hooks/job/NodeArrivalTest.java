package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that come one after another, late, or never, on a clock of the test's. */
@Timeout(60)
class NodeArrivalTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private long now;
  private int connected;
  private int closed;
  private final List<NodeReport> there = new ArrayList<>();
  private @Nullable EleyException refusal;
  private @Nullable EleyException failure;
  private Runnable step = () -> {};

  private final class Connection implements NodeArrival.Connection {
    @Override
    public List<NodeReport> nodes() throws EleyException {
      if (failure != null) {
        throw failure;
      }
      return there;
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private void await(int count, String... names) throws EleyException {
    new NodeArrival(count, List.of(names))
        .await(
            () -> {
              if (refusal != null) {
                throw refusal;
              }
              connected++;
              return new Connection();
            },
            TIMEOUT,
            () -> now,
            time -> {
              now += time.toNanos();
              step.run();
            });
  }

  private void arrives(String name) {
    there.add(Reports.node(name, true, 0));
  }

  private long millis() {
    return now / 1_000_000;
  }

  @Test
  void returnsWhenTheLastNodeHasRegistered() throws EleyException {
    step =
        () -> {
          if (millis() == 300 || millis() == 700) {
            arrives("n" + millis());
          }
        };
    await(2);
    assertThat(millis()).isEqualTo(700);
    assertThat(connected).as("one connection is enough").isEqualTo(1);
    assertThat(closed).isEqualTo(1);
  }

  @Test
  void aCoordinatorMayComeLateAndBeRestarted() throws EleyException {
    refusal = new EleyException(ErrorCode.UNAVAILABLE, "no deployment runs in /d");
    step =
        () -> {
          if (millis() == 500) {
            refusal = null;
            failure = new EleyException(ErrorCode.UNAVAILABLE, "connection reset");
          } else if (millis() == 1000) {
            failure = null;
            arrives("n1");
          }
        };
    await(1);
    assertThat(millis()).isEqualTo(1000);
    assertThat(closed).as("no connection is left open").isEqualTo(connected);
  }

  @Test
  void nodesThatDoNotComeAreNamed() {
    arrives("n1");
    assertThatThrownBy(() -> await(3, "n1", "", "n2", "n3"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE))
        .hasMessage("not ready after 2.0 s: 1 of 3 nodes have registered; missing: n2, n3");
    assertThat(millis()).isEqualTo(2000);
  }

  @Test
  void withoutNamesTheyAreCounted() {
    assertThatThrownBy(() -> await(2))
        .hasMessage("not ready after 2.0 s: 0 of 2 nodes have registered");
  }

  @Test
  void whyTheCoordinatorDidNotAnswerIsSaid() {
    refusal = new EleyException(ErrorCode.UNAUTHENTICATED, "no secret file");
    assertThatThrownBy(() -> await(1)).hasMessage("not ready after 2.0 s: no secret file");
    assertThat(connected).isZero();
  }
}
