package io.eley.bb.server.store;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries events from under the store's lock to the listener: queued in order under the lock,
 * delivered in that order after it, by one thread at a time and without anybody waiting. A thread
 * that finds another one delivering leaves its events to that one.
 */
final class StoreEvents {
  private static final Logger LOG = LoggerFactory.getLogger(StoreEvents.class);

  private final StoreListener listener;
  private final ConcurrentLinkedQueue<Consumer<StoreListener>> noted =
      new ConcurrentLinkedQueue<>();
  private final AtomicInteger deliveries = new AtomicInteger();

  StoreEvents(StoreListener listener) {
    this.listener = listener;
  }

  /** Queues an event. Call with the store's lock held. */
  void enqueue(Consumer<StoreListener> event) {
    noted.add(event);
  }

  /** Delivers the queued events. Call with no lock held. */
  void deliver() {
    if (deliveries.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    while (seen != 0) {
      for (var event = noted.poll(); event != null; event = noted.poll()) {
        notifyListeners(event);
      }
      seen = deliveries.addAndGet(-seen);
    }
  }

  private void notifyListeners(Consumer<StoreListener> event) {
    try {
      event.accept(listener);
    } catch (RuntimeException e) {
      // The listener's defect; the events behind this one must still be delivered.
      LOG.error("a store listener failed", e);
    }
  }
}
