package io.eley.coordinator.members;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.NodeMessage;
import io.eley.bb.api.wire.NodeMessage.BlocksChanged;
import io.eley.bb.api.wire.NodeMessage.FailedFetch;
import io.eley.bb.api.wire.NodeMessage.OriginRead;
import io.eley.bb.api.wire.NodeMessage.PermitApplied;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.net.Session;
import io.eley.controller.loop.ControlLoop;
import io.eley.controller.loop.Moved;
import io.eley.controller.loop.PlanLoop;
import io.eley.coordinator.agent.Agent;
import java.util.List;
import java.util.function.Consumer;

/**
 * Handles nodes' messages, on the agent's thread: registrations, inventories and confirmations go
 * to the two loops, and each change of the membership goes to everybody.
 */
public final class NodeRequests {
  private final Agent agent;
  private final Members members;
  private final ControlLoop control;
  private final PlanLoop plans;
  private final BlockHistory history;
  private final Consumer<BlockId> stale;

  /**
   * A handler of nodes' messages.
   *
   * @param stale takes a block whose file version is gone from the origin
   */
  public NodeRequests(
      Agent agent, Members members, Loops loops, BlockHistory history, Consumer<BlockId> stale) {
    this.agent = agent;
    this.members = members;
    this.control = loops.control();
    this.plans = loops.plans();
    this.history = history;
    this.stale = stale;
  }

  /** The two loops that nodes' messages go to. */
  public record Loops(ControlLoop control, PlanLoop plans) {}

  /** Does what a message asks for, and replies. */
  public void handle(Session session, long correlation, NodeMessage message) {
    if (message instanceof Register m) {
      register(session, correlation, m);
    } else if (message instanceof BlocksChanged m) {
      changeBlocks(session, correlation, m);
    } else if (message instanceof PermitApplied m) {
      confirm(session, m);
    } else if (message instanceof OriginRead m) {
      members
          .of(m.node(), session)
          .ifPresent(member -> control.observeReads(m.node(), m.ended(), m.underWay()));
    } else {
      session.reply(
          correlation, new Failure(ErrorCode.MALFORMED, message.type() + " is not for me"));
    }
  }

  private void register(Session session, long correlation, Register m) {
    boolean newView = members.register(m, session, agent.now());
    history.forget(m.address().id());
    session.reply(correlation, members.view());
    members
        .of(m.address().id(), session)
        .ifPresent(
            member -> {
              plans.join(member, m.capacityBytes());
              control.join(member);
            });
    if (newView) {
      publishView();
    }
  }

  /**
   * Takes a confirmation. One over a connection with which the node is not registered is dropped,
   * since the node learns of it from the answer to its next report.
   */
  private void confirm(Session session, PermitApplied m) {
    members
        .of(m.node(), session)
        .ifPresent(
            member -> {
              members.noteCounters(member, m.counters(), agent.now());
              plans.resize(m.node(), m.counters().roomForBlocks());
              control.confirm(
                  m.node(),
                  m.sequence(),
                  new Moved(
                      m.counters().originBytes(),
                      m.counters().queuedFetches(),
                      m.counters().throttled(),
                      m.counters().underWay()));
            });
  }

  /** Takes changes of blocks, only from a node that is registered over this very connection. */
  private void changeBlocks(Session session, long correlation, BlocksChanged m) {
    var member = members.of(m.node(), session);
    if (member.isEmpty()) {
      session.reply(
          correlation,
          new Failure(ErrorCode.NOT_REGISTERED, "node " + m.node() + " must register first"));
      return;
    }
    member.get().noteAlive(agent.now());
    control.noteAlive(m.node());
    changeBlocks(m);
    session.reply(correlation, new Ok());
  }

  private void changeBlocks(BlocksChanged m) {
    long now = agent.now();
    plans.noteArrived(m.node(), m.arrived());
    m.arrived().forEach(b -> history.note(m.node(), b, BlockHistory.What.ARRIVED, now));
    plans.notePartsArrived(m.node(), m.parts());
    m.parts().forEach(b -> history.note(m.node(), b, BlockHistory.What.ARRIVED, now));
    plans.noteDropped(m.node(), m.dropped());
    m.dropped().forEach(b -> history.note(m.node(), b, BlockHistory.What.DROPPED, now));
    m.yielded().forEach(b -> history.note(m.node(), b, BlockHistory.What.YIELDED, now));
    for (FailedFetch failed : m.failed()) {
      history.note(m.node(), failed.block(), BlockHistory.What.FAILED, now);
      plans.noteFailed(m.node(), failed.block(), failed.code());
      if (failed.code() == ErrorCode.STALE_VERSION) {
        stale.accept(failed.block());
      }
    }
  }

  /** Removes the nodes that have left a permit unanswered for too long. */
  public void expire() {
    List<NodeId> silent = control.silentNodes();
    if (!silent.isEmpty()) {
      members.remove(silent);
      silent.forEach(history::forget);
      plans.leave(silent);
      control.leave(silent);
      publishView();
    }
  }

  private void publishView() {
    plans.setView(members.view().view());
    members.all().forEach(m -> m.session().push(members.view()));
  }
}
