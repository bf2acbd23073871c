package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Waits until a buffer's nodes have registered, for job scripts: the coordinator may not be there
 * yet either. For one thread; blocks.
 *
 * @param count how many nodes are to come
 * @param names of the nodes, as far as they are known, so that absent ones can be named
 */
public record NodeArrival(int count, List<String> names) {
  private static final Duration POLL = Duration.ofMillis(100);

  /** A connection to the coordinator. */
  public interface Connection extends AutoCloseable {
    /** The nodes that have registered. */
    List<NodeReport> nodes() throws EleyException;

    @Override
    void close();
  }

  /** Makes connections; fails while there is no coordinator. */
  @FunctionalInterface
  public interface Connector {
    Connection connect() throws EleyException;
  }

  public NodeArrival {
    names = names.stream().filter(n -> !n.isBlank()).toList();
  }

  /**
   * Blocks until all nodes are there.
   *
   * @param timeout how long at most
   * @param clock monotonic nanoseconds
   * @throws EleyException {@code DEADLINE} that says what was missing last
   */
  public void await(Connector connector, Duration timeout, LongSupplier clock, Pause pause)
      throws EleyException {
    long end = clock.getAsLong() + timeout.toNanos();
    String last = "no coordinator has come up";
    while (clock.getAsLong() - end < 0) {
      try (var connection = connector.connect()) {
        while (clock.getAsLong() - end < 0) {
          List<NodeReport> there = connection.nodes();
          if (there.size() >= count) {
            return;
          }
          last = missing(there.stream().map(NodeReport::id).toList());
          pause.forTime(POLL);
        }
      } catch (EleyException e) {
        last = String.valueOf(e.getMessage());
        pause.forTime(POLL);
      }
    }
    throw new EleyException(
        ErrorCode.DEADLINE, "not ready after " + timeout.toMillis() / 1e3 + " s: " + last);
  }

  private String missing(List<String> there) {
    var absent = new ArrayList<>(names);
    absent.removeAll(there);
    String counted = there.size() + " of " + count + " nodes have registered";
    return absent.isEmpty() ? counted : counted + "; missing: " + String.join(", ", absent);
  }
}
