package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TeardownTest {
  private final List<String> closed = new ArrayList<>();

  @Test
  void closesTheYoungestFirstAndEachOnce() throws EleyException {
    var teardown = Teardown.detached();
    teardown.add(thing("a"));
    teardown.add(thing("b"));
    assertThat(teardown.closed()).isFalse();

    teardown.close();
    teardown.close();

    assertThat(teardown.closed()).isTrue();

    assertThat(closed).containsExactly("b", "a");
  }

  @Test
  void aThingThatCannotBeClosedDoesNotStopTheOthers() throws EleyException {
    var teardown = Teardown.detached();
    teardown.add(thing("a"));
    teardown.add(
        () -> {
          throw new IllegalStateException("stuck");
        });
    teardown.add(thing("b"));

    teardown.close();

    assertThat(closed).containsExactly("b", "a");
  }

  @Test
  void aNestedPartMayEndEarlierAndIsClosedOnce() throws EleyException {
    var teardown = Teardown.detached();
    teardown.add(thing("a"));
    var nested = teardown.nested();
    nested.add(thing("n"));

    nested.close();
    assertThat(closed).containsExactly("n");
    teardown.close();

    assertThat(closed).containsExactly("n", "a");
  }

  @Test
  void endingTheWholeEndsWhatIsNested() throws EleyException {
    var teardown = Teardown.detached();
    teardown.add(thing("a"));
    teardown.nested().add(thing("n"));
    teardown.add(thing("b"));

    teardown.close();

    assertThat(closed).containsExactly("b", "n", "a");
  }

  @Test
  void whatComesTooLateIsClosedAtOnce() {
    var teardown = Teardown.detached();
    teardown.close();

    assertThatThrownBy(() -> teardown.add(thing("late"))).isInstanceOf(EleyException.class);
    assertThat(closed).containsExactly("late");
  }

  @Test
  void aSecondEndWaitsForTheFirstAndKeepsTheOrder() throws Exception {
    var teardown = Teardown.detached();
    var second = new Thread(teardown::close);
    teardown.add(thing("a"));
    teardown.add(
        () -> {
          second.start();
          await().until(() -> second.getState() == Thread.State.WAITING);
          closed.add("b");
        });

    teardown.close();
    second.join();

    assertThat(closed).containsExactly("b", "a");
  }

  @Test
  void whatIsLeftToItselfIsNotEndedAndIsSaidBefore() throws Exception {
    var teardown = Teardown.detached();
    teardown.nested().add(thing("nested"));
    teardown.add(thing("a"));
    var ending = new Thread(teardown::close);
    teardown.leave(
        () -> {
          ending.start();
          await().until(() -> ending.getState() == Thread.State.BLOCKED);
          closed.add("said");
        });
    ending.join();

    assertThat(closed).containsExactly("said");
  }

  @Test
  void whatIsBeingEndedIsNotSaidToBeLeft() {
    var teardown = Teardown.detached();
    teardown.close();

    assertThatThrownBy(() -> teardown.leave(() -> closed.add("said")))
        .isInstanceOf(EleyException.class);
    assertThat(closed).isEmpty();
  }

  @Test
  void whatStartsAtOnceIsNotStartedTooLate() throws IOException {
    var teardown = Teardown.detached();
    teardown.start(() -> thing("in time"));
    teardown.close();

    assertThatThrownBy(() -> teardown.start(() -> thing("late"))).isInstanceOf(EleyException.class);
    assertThat(closed).containsExactly("in time");
  }

  @Test
  void behindAnEndNothingIsMade() throws IOException {
    var teardown = Teardown.detached();
    assertThat(teardown.<String>make(() -> "made")).isEqualTo("made");
    teardown.close();
    var made = new ArrayList<String>();
    assertThatThrownBy(() -> teardown.make(() -> made.add("too late")))
        .isInstanceOf(EleyException.class);
    assertThat(made).isEmpty();
  }

  @Test
  void anEndWaitsForWhatIsJustBeingStarted() throws Exception {
    var teardown = Teardown.detached();
    var starting = new CountDownLatch(1);
    var ending = new Thread(teardown::close);
    var start =
        new Thread(
            () -> {
              try {
                teardown.start(
                    () -> {
                      starting.countDown();
                      await().until(() -> ending.getState() == Thread.State.BLOCKED);
                      return thing("just started");
                    });
              } catch (IOException e) {
                closed.add("refused");
              }
            });
    start.start();
    starting.await();
    ending.start();
    ending.join();
    start.join();

    assertThat(closed).containsExactly("just started");
  }

  @Test
  void anInterruptSparesNothingAndIsNotForgotten() throws Exception {
    var teardown = Teardown.detached();
    teardown.add(sleeper("first"));
    teardown.add(sleeper("second"));
    Thread.currentThread().interrupt();

    teardown.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(closed).containsExactly("second", "first");
  }

  /** A thing whose end can be interrupted. */
  private AutoCloseable sleeper(String name) {
    return () -> {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      closed.add(name);
      Thread.currentThread().interrupt();
    };
  }

  private AutoCloseable thing(String name) {
    return () -> closed.add(name);
  }
}
