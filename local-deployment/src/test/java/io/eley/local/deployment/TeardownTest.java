package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TeardownTest {
  private final List<String> closed = new ArrayList<>();

  @Test
  void closesTheYoungestFirstAndEachOnce() throws EleyException {
    var teardown = Teardown.detached();
    teardown.add(thing("a"));
    teardown.add(thing("b"));

    teardown.close();
    teardown.close();

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

  private AutoCloseable thing(String name) {
    return () -> closed.add(name);
  }
}
