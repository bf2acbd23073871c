package io.eley.coordinator.board;

import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BoardMessage.AskBoard;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.net.Session;
import io.eley.bb.server.net.SessionHandler;
import io.eley.controller.board.Asker;
import io.eley.controller.board.BoardLoop;
import io.eley.coordinator.agent.Agent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers deployments. One that asks more often than {@link #SHORTEST} is refused on the event
 * loop, and costs the others nothing.
 */
final class BoardHandler implements SessionHandler {
  /** Between two questions of a deployment; they come each 150 ms. */
  static final Duration SHORTEST = Duration.ofMillis(20);

  private final Agent agent;
  private final BoardLoop board;
  private final TokenRing tokens;
  private final String fileSystem;

  /** What is kept with a session. */
  private record Caller(Asker asker, AtomicLong askedAt) {}

  BoardHandler(Agent agent, BoardLoop board, TokenRing tokens, String fileSystem) {
    this.agent = agent;
    this.board = board;
    this.tokens = tokens;
    this.fileSystem = fileSystem;
  }

  @Override
  public void opened(Session session) {
    long never = agent.now() - SHORTEST.toNanos();
    session.attach(new Caller(tokens.asker(session.key()), new AtomicLong(never)));
  }

  @Override
  public void received(Session session, long correlation, Message message) {
    if (message instanceof PingMessage) {
      session.reply(correlation, new Ok());
    } else if (message instanceof AskBoard question && session.attachment() instanceof Caller c) {
      answer(session, correlation, question, c);
    } else {
      refuse(session, correlation, ErrorCode.MALFORMED, "a board does not know " + message.type());
    }
  }

  private void answer(Session session, long correlation, AskBoard question, Caller caller) {
    long now = agent.now();
    if (now - caller.askedAt().getAndSet(now) < SHORTEST.toNanos()) {
      refuse(session, correlation, ErrorCode.UNAVAILABLE, "this deployment asks too often");
    } else if (!question.fileSystem().equals(fileSystem)) {
      refuse(
          session,
          correlation,
          ErrorCode.NOT_FOUND,
          "the board watches " + fileSystem + ", the origin is on " + question.fileSystem());
    } else {
      agent.execute(
          () -> {
            var answer = board.answer(caller.asker(), question.moved(), question.stamp());
            session.reply(correlation, BoardViews.of(answer));
          });
    }
  }

  private static void refuse(Session session, long correlation, ErrorCode code, String why) {
    session.reply(correlation, new Failure(code, why));
  }

  @Override
  public void closed(Session session) {
    // Its nodes go on for as long as their permits live: the loop notices its silence.
  }
}
