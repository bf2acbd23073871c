package io.eley.coordinator;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.NodeMessage.FetchBlocks;
import io.eley.bb.api.wire.NodeMessage.FreeBlocks;
import io.eley.prefetcher.plan.NodeOrders;
import io.eley.prefetcher.plan.WavePlanner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Turns the planner's decisions into messages. Events come in bursts, each of which changes little:
 * so one plan is made a moment after the first of them, and the moment is long enough that planning
 * takes a fifth of the agent's time at most. The agent's.
 */
final class Orders {
  private static final Duration MOMENT = Duration.ofMillis(10);

  /** Pause after a plan, as a multiple of what the plan took. */
  private static final int PAUSE = 4;

  /** Bytes of a message, roughly: a permit must not queue behind a megabyte. */
  private static final int BATCH_BYTES = 64 << 10;

  private final WavePlanner planner;
  private final Members members;
  private final Agent agent;
  private final boolean wanted;
  private boolean scheduled;
  private Duration moment = MOMENT;

  /**
   * No orders yet.
   *
   * @param wanted whether anything is prefetched at all
   */
  Orders(WavePlanner planner, Members members, Agent agent, boolean wanted) {
    this.planner = planner;
    this.members = members;
    this.agent = agent;
    this.wanted = wanted;
  }

  /** Makes a plan in a moment. */
  void soon() {
    if (wanted && !scheduled) {
      scheduled = true;
      agent.after(moment, this::give);
    }
  }

  private void give() {
    scheduled = false;
    long began = agent.now();
    give(began);
    var pause = Duration.ofNanos(agent.now() - began).multipliedBy(PAUSE);
    moment = pause.compareTo(MOMENT) > 0 ? pause : MOMENT;
  }

  private void give(long now) {
    Map<NodeId, Member> byId =
        members.all().stream().collect(Collectors.toMap(m -> m.address().id(), m -> m));
    for (NodeOrders orders : planner.plan(now)) {
      Member member = byId.get(orders.node());
      if (member != null) {
        push(member, orders.free(), FreeBlocks::new);
        push(member, orders.fetch(), FetchBlocks::new);
      }
    }
  }

  private static void push(
      Member member, List<BlockId> blocks, Function<List<BlockId>, Message> message) {
    var batch = new ArrayList<BlockId>();
    int bytes = 0;
    for (BlockId block : blocks) {
      batch.add(block);
      bytes += 32 + 3 * block.file().path().length();
      if (bytes >= BATCH_BYTES) {
        member.session().push(message.apply(batch));
        batch.clear();
        bytes = 0;
      }
    }
    if (!batch.isEmpty()) {
      member.session().push(message.apply(batch));
    }
  }
}
