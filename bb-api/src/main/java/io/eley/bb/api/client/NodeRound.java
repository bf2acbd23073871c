package io.eley.bb.api.client;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
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
 * @param most how long dialling and answers may take together; a node that is silent at the end may
 *     have half of that on top, to say that it lives
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
    long began = System.nanoTime();
    var asked = new ArrayList<Asked>();
    for (NodeAddress node : nodes) {
      List<? extends Message> own = questions.to(node);
      if (own.isEmpty()) {
        continue;
      }
      try {
        asked.add(ask(node, own, left(began), questions));
      } catch (EleyException e) {
        client.counters().countRetry();
        own.forEach(question -> questions.unheard(node, question));
      }
    }
    for (Asked one : asked) {
      await(one, left(began));
      one.unheard().forEach(question -> questions.unheard(one.node, question));
    }
  }

  private Duration left(long began) {
    return most.minusNanos(System.nanoTime() - began);
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

  private Asked ask(
      NodeAddress node, List<? extends Message> own, Duration left, Questions questions)
      throws EleyException {
    if (left.compareTo(most.dividedBy(4)) < 0) { // nor could a slow host be told from one down
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "other nodes have left no time to ask node " + node.id());
    }
    NodePool pool = client.pool(node);
    Connection connection = pool.connection(patience(left));
    questions.require(connection);
    var answers = new LinkedHashMap<Message, CompletableFuture<Message>>();
    for (Message question : own) {
      answers.put(question, connection.request(question));
    }
    return new Asked(node, new NodeAttempt(pool, patience(most)), connection, answers);
  }

  private static Patience patience(Duration all) {
    return new Patience(all, Duration.ZERO, System::nanoTime);
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
      noteFailure(one, e);
      client.counters().countRetry();
    }
  }

  /** Of one that was only waited for too briefly nothing is learnt. */
  private static void noteFailure(Asked one, EleyException e) {
    if (e.code() != ErrorCode.DEADLINE || e instanceof LiveWait.SilentPeerException) {
      one.at.pool().noteOutcome(one.connection, e);
    }
  }
}
