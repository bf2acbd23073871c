package io.eley.bb.api.client;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Asks many nodes at once, and their pools learn what became of it. For one thread.
 *
 * @param timeouts how long nodes may be silent
 * @param most how long answers may take, from when all nodes are asked
 */
record NodeRound(EleyClient client, ClientOptions.Timeouts timeouts, Duration most) {
  /** What is asked. */
  interface Questions {
    /** Of this node; nothing leaves it out. */
    List<? extends Message> to(NodeAddress node);

    /**
     * Requires that they may be sent there.
     *
     * @throws EleyException when not: the node is left out
     */
    default void require(Connection connection) throws EleyException {}

    /** The node has perhaps not heard this. */
    default void unheard(NodeAddress node, Message question) {}
  }

  /** Blocks until all have answered, or will not. */
  void ask(List<NodeAddress> nodes, Questions questions) {
    var asked = new ArrayList<Asked>();
    for (NodeAddress node : nodes) {
      List<? extends Message> own = questions.to(node);
      if (own.isEmpty()) {
        continue;
      }
      try {
        asked.add(ask(node, own, questions));
      } catch (EleyException e) {
        client.counters().countRetry();
        own.forEach(question -> questions.unheard(node, question));
      }
    }
    long began = System.nanoTime();
    for (Asked one : asked) {
      await(one, most.minusNanos(System.nanoTime() - began));
      one.unheard().forEach(question -> questions.unheard(one.node, question));
    }
  }

  /** What a node was asked. */
  private record Asked(
      NodeAddress node,
      NodeAttempt at,
      Connection connection,
      Map<Message, CompletableFuture<Message>> answers) {

    CompletableFuture<Message> all() {
      return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
          .thenApply(done -> new Ok());
    }

    List<Message> unheard() {
      return answers.entrySet().stream()
          .filter(asked -> !heard(asked.getValue()))
          .map(Map.Entry::getKey)
          .toList();
    }

    /** A node that says no has heard it, too. */
    private boolean heard(CompletableFuture<Message> answer) {
      return answer.isDone() && (!answer.isCompletedExceptionally() || connection.isOpen());
    }
  }

  private Asked ask(NodeAddress node, List<? extends Message> own, Questions questions)
      throws EleyException {
    var at =
        new NodeAttempt(client.pool(node), new Patience(most, Duration.ZERO, System::nanoTime));
    Connection connection = at.connection();
    questions.require(connection);
    var answers = new LinkedHashMap<Message, CompletableFuture<Message>>();
    for (Message question : own) {
      answers.put(question, connection.request(question));
    }
    return new Asked(node, at, connection, answers);
  }

  /** For as long as the node lives. */
  private void await(Asked one, Duration left) {
    CompletableFuture<Message> all = one.all();
    if (left.isNegative() && !all.isDone()) { // nothing is learnt of the node
      client.counters().countRetry();
      return;
    }
    try {
      one.at
          .wait(timeouts, left, new LiveWait.Signs() {})
          .done(one.connection, all, "what many nodes are asked, of " + one.connection.peer());
      one.at.pool().noteAnswer();
    } catch (EleyException e) {
      one.at.pool().noteOutcome(one.connection, e);
      client.counters().countRetry();
    }
  }
}
