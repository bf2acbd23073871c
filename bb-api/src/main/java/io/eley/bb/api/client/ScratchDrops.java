package io.eley.bb.api.client;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells all nodes what nobody reads any more of one application. Spark says so once: a node that
 * does not answer is told as soon as it does. Safe for several threads; blocks.
 */
final class ScratchDrops {
  /** Nodes that did not hear are looked after so often; the pool says which may be dialled. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** And so often it is looked whether nodes are back that have left the view. */
  private static final Duration BACK = Duration.ofSeconds(5);

  /**
   * What an application that ends waits for nodes: neither for one that hangs nor until all is
   * deleted. They go on by themselves, and the coordinator tells those that have not heard.
   */
  private static final Duration AT_THE_END = Duration.ofSeconds(3);

  private final EleyClient client;
  private final ClientOptions.Timeouts timeouts;
  private final String application;
  private final UntoldDrops untold = new UntoldDrops(System::nanoTime);

  /** Whether somebody is about to tell what is untold. */
  private final AtomicBoolean waiting = new AtomicBoolean();

  ScratchDrops(EleyClient client, ClientOptions.Timeouts timeouts, String application) {
    this.client = client;
    this.timeouts = timeouts;
    this.application = application;
  }

  /** As {@link ScratchOutputs#drop}. */
  void drop(int shuffle) {
    if (shuffle == DropScratch.ALL) {
      untold.end();
      var all = List.of(new DropScratch(application, shuffle));
      new NodeRound(client, timeouts, AT_THE_END).ask(client.nodes(), node -> all);
      return;
    }
    List<NodeAddress> nodes = nodesNow();
    see(nodes);
    untold.add(shuffle);
    tell(nodes);
  }

  /** Learns which nodes are there: they are told, also when they are away later. */
  void see(List<NodeAddress> nodes) {
    untold.see(ids(nodes));
  }

  private static List<NodeId> ids(List<NodeAddress> nodes) {
    return nodes.stream().map(NodeAddress::id).toList();
  }

  /**
   * Asks who is there: executors know of nodes that have come, and bring outputs to them, while a
   * driver whose reads do not fail asks nobody else.
   */
  private List<NodeAddress> nodesNow() {
    var unused = client.refreshView(client.patience());
    return client.nodes();
  }

  private void tell(List<NodeAddress> nodes) {
    new NodeRound(client, timeouts, timeouts.request()).ask(nodes, new Untold());
    if (!untold.isEmpty() && waiting.compareAndSet(false, true)) {
      Duration pause = ids(nodes).stream().anyMatch(untold::has) ? AGAIN : BACK;
      CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, this::start)
          .execute(this::tellAgain);
    }
  }

  private void tellAgain() {
    waiting.set(false);
    List<NodeAddress> nodes = nodesNow();
    see(nodes);
    tell(nodes);
  }

  /** Not on a thread that others' timers need: to dial takes a while. */
  private void start(Runnable telling) {
    var thread = new Thread(telling, "eley-scratch-drop");
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError e) { // of threads: the next drop tries again
      waiting.set(false);
    }
  }

  /** All that a node has not heard, over one connection: while it is suspect it gets no other. */
  private final class Untold implements NodeRound.Questions {
    @Override
    public List<DropScratch> to(NodeAddress node) {
      return client.leavesAlone(node)
          ? List.of()
          : untold.take(node.id()).stream()
              .map(shuffle -> new DropScratch(application, shuffle))
              .toList();
    }

    @Override
    public void unheard(NodeAddress node, Message question) {
      untold.add(node.id(), ((DropScratch) question).shuffle());
    }
  }
}
