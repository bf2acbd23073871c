package io.eley.bb.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a listener hears, and what its failures do not break. */
class StoreEventsTest {
  private final List<Integer> heard = new ArrayList<>();
  private Runnable onFirst = () -> {};
  private final StoreEvents events =
      new StoreEvents(
          new StoreListener() {
            @Override
            public void committed(BlockId block) {
              heard.add(block.index());
              if (heard.size() == 1) {
                onFirst.run();
              }
            }

            @Override
            public void dropped(BlockId block, DropReason reason) {}
          });

  private void enqueue(int index) {
    events.enqueue(l -> l.committed(new BlockId(new FileVersion("/a", 100, 1), index)));
  }

  @Test
  void eventsComeInTheOrderInWhichTheyHappened() {
    enqueue(1);
    enqueue(2);
    assertThat(heard).as("nothing before the lock is free").isEmpty();
    events.deliver();
    assertThat(heard).containsExactly(1, 2);
    enqueue(3);
    events.deliver();
    assertThat(heard).containsExactly(1, 2, 3);
  }

  @Test
  void aListenerThatFailsMissesNothingOfWhatFollows() {
    onFirst =
        () -> {
          throw new IllegalStateException("a defect of the listener");
        };
    enqueue(1);
    enqueue(2);
    events.deliver();
    enqueue(3);
    events.deliver();
    assertThat(heard).containsExactly(1, 2, 3);
  }

  @Test
  void whatHappensDuringADeliveryIsDeliveredAfterIt() {
    onFirst =
        () -> {
          enqueue(2);
          events.deliver();
          assertThat(heard).as("never two calls at the same time").containsExactly(1);
        };
    enqueue(1);
    events.deliver();
    assertThat(heard).containsExactly(1, 2);
  }
}
