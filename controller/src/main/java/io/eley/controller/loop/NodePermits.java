package io.eley.controller.loop;

import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.controller.sense.CarrierSense;
import io.eley.prefetcher.control.FairShare;
import io.eley.prefetcher.control.PermitController;
import java.time.Duration;
import java.util.Optional;

/**
 * Grants each node what the decision leaves to it: as many prefetches as are useful at once, or a
 * single chunk, to find out how busy the origin is. The {@link ControlLoop} owns it; not
 * thread-safe. Times are nanoseconds.
 */
final class NodePermits {
  /** Who has read so much without a word of how long it took will not say it any more. */
  private static final long LEARNED_BYTES = 16 << 20;

  private static final Lane ONE_AT_A_TIME = new Lane(Lane.UNLIMITED, 1);

  private final ControlOptions options;
  private final boolean senses;
  private final PermitController controller;
  private final BufferNodes nodes;
  private final BoardRounds board;
  private final CarrierSense reads;

  /**
   * Grants nothing yet.
   *
   * @param senses whether our own reads are listened to
   */
  NodePermits(
      ControlOptions options,
      boolean senses,
      PermitController controller,
      BufferNodes nodes,
      BoardRounds board,
      CarrierSense reads) {
    this.options = options;
    this.senses = senses;
    this.controller = controller;
    this.nodes = nodes;
    this.board = board;
    this.reads = reads;
  }

  void grantAll(long now) {
    nodes.all().forEach(node -> grant(node, now));
  }

  void grant(NodeAccount node, long now) {
    node.grant(permit(node), now);
  }

  /**
   * A node's permit: as many prefetches at once as are useful, and one while it is not known what a
   * single read takes.
   */
  private Permit permit(NodeAccount node) {
    Permit permit = controller.nextPermit();
    if (permit.prefetch().equals(Lane.OPEN) && learns(node)) {
      return permit.withPrefetch(ONE_AT_A_TIME);
    }
    Lane useful = permit.prefetch().equals(Lane.OPEN) ? useful(node) : permit.prefetch();
    return permit.withPrefetch(FairShare.of(useful, options.fetchers(), board.sharers()));
  }

  /** Never more than a node's usual fetchers: only scale-up asks for those beyond them. */
  private Lane useful(NodeAccount node) {
    return (senses ? reads.useful(node.id().value()) : Optional.<Integer>empty())
        .filter(many -> many < options.fetchers())
        .map(many -> new Lane(Lane.UNLIMITED, many))
        .orElse(Lane.OPEN);
  }

  /**
   * How many fetchers of each node prefetch, on average, where nothing but the origin limits them;
   * 0 where something does: a rate, another deployment's share, fewer fetchers than usual, or that
   * a node is to find out first what reads take.
   */
  double openFetchers() {
    boolean open =
        (controller.decision().prefetch().equals(Lane.OPEN) || moreThanUsual())
            && board.sharers() == 1
            && nodes.all().stream().noneMatch(this::learns);
    return open ? nodes.all().stream().mapToInt(this::openFetchers).average().orElse(0) : 0;
  }

  private int openFetchers(NodeAccount node) {
    return moreThanUsual()
        ? controller.decision().prefetch().concurrentFetches()
        : Math.min(options.fetchers(), useful(node).concurrentFetches());
  }

  /** Whether more fetchers than the usual ones are to catch up. */
  boolean moreThanUsual() {
    Lane lane = controller.decision().prefetch();
    return lane.bytesPerSecond() == Lane.UNLIMITED
        && !lane.equals(Lane.OPEN)
        && lane.concurrentFetches() > options.fetchers();
  }

  /** Whether a node is to find out first what single reads take. */
  boolean learns(NodeAccount node) {
    return senses && node.moved().originTotal() < LEARNED_BYTES && reads.learns(node.id().value());
  }

  /**
   * Gives one node leave to read a single chunk, when that is to tell how busy the origin is.
   *
   * @param heldFor for how long prefetching has been held without a gap
   */
  void testOrigin(Duration heldFor, long now) {
    boolean mayTest = nodes.allHold() || heldFor.compareTo(options.permits().confirmation()) > 0;
    if (senses && controller.decision().held() && mayTest && reads.wantsTest(now)) {
      nodes
          .nextToTest()
          .ifPresent(
              node -> {
                node.grant(testPermit(), now);
                reads.noteTest(now);
              });
    }
  }

  /** A permit for a single chunk, of those that tasks wait for if there is one. */
  private Permit testPermit() {
    Permit held = controller.nextPermit();
    return held.demand().closed()
        ? held.withPrefetch(Lane.test(1)).withDemand(Lane.test(1))
        : held.withPrefetch(Lane.test(1));
  }
}
