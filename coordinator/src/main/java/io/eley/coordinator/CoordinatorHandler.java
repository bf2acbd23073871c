package io.eley.coordinator;

import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.Forget;
import io.eley.bb.api.wire.MetadataMessage.GetListing;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.StatusesSeen;
import io.eley.bb.api.wire.NodeMessage;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.bb.api.wire.PhaseMessage.GetReport;
import io.eley.bb.api.wire.PhaseMessage.GetWhy;
import io.eley.bb.api.wire.PhaseMessage.PhaseEnded;
import io.eley.bb.api.wire.PhaseMessage.Report;
import io.eley.bb.api.wire.PhaseMessage.Why;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.net.Session;
import io.eley.bb.server.net.SessionHandler;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.members.Members;
import io.eley.coordinator.metadata.MetadataRequests;

/**
 * Routes messages from the event loops: the view and metadata are answered on them, and the agent
 * handles everything else.
 */
final class CoordinatorHandler implements SessionHandler {
  private final Agent agent;
  private final Coordinator coordinator;
  private final Members members;
  private final MetadataRequests metadata;

  CoordinatorHandler(
      Agent agent, Coordinator coordinator, Members members, MetadataRequests metadata) {
    this.agent = agent;
    this.coordinator = coordinator;
    this.members = members;
    this.metadata = metadata;
  }

  @Override
  public void opened(Session session) {
    metadata.open(session);
  }

  @Override
  public void received(Session session, long correlation, Message message) {
    if (message instanceof PingMessage) {
      session.reply(correlation, new Ok());
    } else if (message instanceof GetStatus m) {
      metadata.answerStatus(session, correlation, m);
    } else if (message instanceof GetListing m) {
      metadata.answerListing(session, correlation, m);
    } else if (message instanceof GetView) {
      session.reply(correlation, members.view());
    } else if (message instanceof Forget m) {
      metadata.forget(session, correlation, m);
    } else if (message instanceof StatusesSeen m) {
      metadata.noteSeen(session, m);
    } else if (message instanceof AskFallback m) {
      agent.execute(() -> session.reply(correlation, coordinator.fallback(m)));
    } else if (message instanceof NodeMessage m) {
      agent.execute(() -> coordinator.handleNode(session, correlation, m));
    } else if (message instanceof PlanMessage m) {
      agent.execute(() -> coordinator.handleDriver(session, correlation, m));
    } else {
      handlePhase(session, correlation, message);
    }
  }

  private void handlePhase(Session session, long correlation, Message message) {
    if (message instanceof BeginPhase m) {
      coordinator.announcements().begin(m, held -> session.reply(correlation, held));
    } else if (message instanceof EndPhase m) {
      var unused =
          coordinator
              .announcements()
              .end(m.application())
              .thenAccept(wasOpen -> session.reply(correlation, new PhaseEnded(wasOpen)));
    } else if (message instanceof GetWhy m) {
      agent.execute(() -> session.reply(correlation, new Why(coordinator.why(m.target()))));
    } else if (message instanceof GetReport) {
      agent.execute(() -> session.reply(correlation, new Report(coordinator.report())));
    } else {
      session.reply(
          correlation,
          new Failure(ErrorCode.MALFORMED, "a coordinator does not know " + message.type()));
    }
  }

  @Override
  public void closed(Session session) {
    metadata.close(session);
    agent.execute(() -> coordinator.closed(session));
  }
}
