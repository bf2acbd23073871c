package io.eley.coordinator.board;

import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BoardMessage.AskBoard;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.net.ReceivedBytes;
import io.eley.bb.server.net.Session;
import io.eley.bb.server.net.SessionHandler;
import io.eley.controller.board.BoardLoop;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.board.BoardSessions.Deployment;

/**
 * Answers deployments. Their connections share the board's thread with its answers to everybody,
 * and a refusal costs that thread what an answer does. So {@link BoardSessions} bounds connections,
 * and one that is refused again and again is ended.
 */
final class BoardHandler implements SessionHandler {
  private final Agent agent;
  private final BoardLoop board;
  private final TokenRing tokens;
  private final String fileSystem;
  private final BoardSessions sessions = new BoardSessions();

  BoardHandler(Agent agent, BoardLoop board, TokenRing tokens, String fileSystem) {
    this.agent = agent;
    this.board = board;
    this.tokens = tokens;
    this.fileSystem = fileSystem;
  }

  @Override
  public void opened(Session session) {
    sessions.open(session, tokens.asker(session.key()), agent.now()).ifPresent(session::attach);
  }

  @Override
  public void received(Session session, long correlation, Message message) {
    if (!(session.attachment() instanceof Deployment from)) {
      return; // one too many, which is being ended
    }
    if (from.speaksTooOften(agent.now())) {
      refuse(session, correlation, ErrorCode.UNAVAILABLE, "this deployment asks too often");
    } else if (message instanceof PingMessage) {
      session.reply(correlation, new Ok());
      from.noteAnswer();
    } else if (message instanceof AskBoard question) {
      answer(session, correlation, question, from);
    } else {
      refuse(session, correlation, ErrorCode.MALFORMED, "a board does not know " + message.type());
    }
  }

  @Override
  public void received(Session session, long correlation, Message message, ReceivedBytes bytes) {
    bytes.close();
    session.close(); // no client of a board sends payloads
  }

  private void answer(Session session, long correlation, AskBoard question, Deployment from) {
    if (!question.fileSystem().equals(fileSystem)) {
      refuse(
          session,
          correlation,
          ErrorCode.NOT_FOUND,
          "the board watches " + fileSystem + ", the origin is on " + question.fileSystem());
    } else {
      from.noteAnswer();
      agent.execute(
          () -> {
            var answer =
                question.isLook()
                    ? board.answerLook(from.asker())
                    : board.answer(from.asker(), question.moved(), question.stamp());
            session.reply(correlation, BoardViews.of(answer));
          });
    }
  }

  private static void refuse(Session session, long correlation, ErrorCode code, String why) {
    session.reply(correlation, new Failure(code, why));
    if (session.attachment() instanceof Deployment from && from.isRefusedTooOften()) {
      session.close();
    }
  }

  @Override
  public void closed(Session session) {
    // Its nodes go on for as long as their permits live: the loop notices its silence.
    if (session.attachment() instanceof Deployment of) {
      sessions.close(session, of);
    }
  }
}
