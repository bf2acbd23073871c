package io.eley.bb.api.client;

import io.eley.bb.api.MapOutput;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Placement;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage;
import io.eley.bb.api.wire.ScratchMessage.AbandonScratch;
import io.eley.bb.api.wire.ScratchMessage.CommitScratch;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.Part;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import io.eley.bb.api.wire.ScratchMessage.ScratchReserved;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Puts the outputs of one application's map tasks into nodes' scratch, each whole on one node, or
 * on two: the first by rendezvous that have room and answer, on two machines where there are such
 * (see {@link CopyTurns}). To a node on this machine files are given, to others they are sent. Safe
 * for several threads; blocks.
 */
public final class ScratchOutputs {
  private final EleyClient client;
  private final OpenScratch application;
  private final Predicate<Connection> withinHost;
  private final ClientOptions.Timeouts timeouts;
  private final ScratchDrops drops;
  private final Map<NodeId, ScratchOpened> services = new ConcurrentHashMap<>();

  /**
   * @param silence how long a node may take to answer, and then to say that it lives; no less than
   *     the client's. Going past a node that is only busy is cheap for a read, and dear for an
   *     output: that one is then lost with its executor
   * @param application its id, settings of its network and secret, which is sent to nodes alone
   *     whose connection nobody else can read
   */
  public ScratchOutputs(EleyClient client, Duration silence, OpenScratch application) {
    this(client, silence, application, Connection::withinHost);
  }

  /** For tests, in which all connections are within a host. */
  ScratchOutputs(
      EleyClient client,
      Duration silence,
      OpenScratch application,
      Predicate<Connection> withinHost) {
    this.client = client;
    this.application = application;
    this.withinHost = withinHost;
    this.timeouts = client.options().timeouts().withSilence(silence);
    this.drops = new ScratchDrops(client, timeouts, application.application());
  }

  /**
   * A file of an output on this machine.
   *
   * @param ending see {@link Part}
   */
  public record Source(String ending, Path file) {}

  /** Where an output lies. */
  public record Place(NodeAddress node, ScratchOpened service) {}

  /**
   * Where all copies of an output lie.
   *
   * @param places the first one first
   * @param stays why there is none; empty when there is one, or the application or shuffle has
   *     ended
   */
  public record Placed(List<Place> places, Optional<StayCause> stays) {
    public Placed {
      places = List.copyOf(places);
    }
  }

  /** Makes a service known to those who will read from it. */
  @FunctionalInterface
  public interface Introduction {
    /**
     * Called before each output that goes there, on its writer's thread; may block.
     *
     * @throws IOException when it cannot be made known: the next node is tried
     */
    void introduce(Place place) throws IOException;
  }

  /**
   * Copies an output's files to a node and lets readers see it there.
   *
   * @param introduction of the node's service, before anything is sent to it
   * @return empty when no node takes it: all are full, none answers, or the application or shuffle
   *     has ended
   * @throws IOException when a file cannot be read
   * @throws EleyException {@code INTERRUPTED}, {@code UNAUTHENTICATED} as below
   */
  public Optional<Place> put(MapOutput output, List<Source> files, Introduction introduction)
      throws IOException {
    return put(output, files, 1, introduction).places().stream().findFirst();
  }

  /**
   * Copies an output's files to several nodes, each of which has all of it, in bytes of its own.
   *
   * @param copies how many nodes, at least 1
   * @return the nodes that took it: fewer than wanted when the others are full or do not answer
   * @throws IOException when a file cannot be read
   * @throws EleyException {@code INTERRUPTED}, {@code UNAUTHENTICATED} when none took it and one
   *     could not be given the application's secret
   */
  public Placed put(MapOutput output, List<Source> files, int copies, Introduction introduction)
      throws IOException {
    var turns = new CopyTurns(inTurn(client.view(client.patience()), output));
    var places = new ArrayList<Place>();
    var refusals = new ArrayList<EleyException>();
    while (places.size() < copies && !ended(refusals)) {
      Optional<NodeAddress> next = turns.next();
      if (next.isEmpty()) {
        break;
      }
      NodeAddress node = next.get();
      try {
        ScratchOpened service =
            put(node, output, files, new GivenFiles(way(node, places)), introduction);
        places.add(new Place(node, service));
        turns.took(node);
      } catch (EleyException e) {
        noteRefusal(node, e);
        refusals.add(e);
      }
    }
    return new Placed(places, places.isEmpty() ? cause(refusals) : Optional.empty());
  }

  /** Whether the application or shuffle has ended: for the other nodes, too. */
  private static boolean ended(List<EleyException> refusals) {
    return refusals.stream().anyMatch(e -> e.code() == ErrorCode.ENDED);
  }

  private void noteRefusal(NodeAddress node, EleyException e) throws EleyException {
    if (e.code() == ErrorCode.INTERRUPTED) {
      throw e;
    }
    if (e.code() != ErrorCode.NO_SPACE) { // a service whose node is full is up
      services.remove(node.id());
    }
    if (e.code() != ErrorCode.ENDED) {
      client.counters().countRetry();
    }
  }

  /** Why an output stays that these have refused; empty when nobody wants it any more. */
  private static Optional<StayCause> cause(List<EleyException> refusals) throws EleyException {
    if (ended(refusals)) {
      return Optional.empty();
    }
    boolean full = true;
    for (EleyException e : refusals) {
      if (e.code() == ErrorCode.UNAUTHENTICATED) {
        throw e;
      }
      full &= e.code() == ErrorCode.NO_SPACE;
    }
    return Optional.of(
        refusals.isEmpty() ? StayCause.NO_NODE : full ? StayCause.NO_ROOM : StayCause.NO_ANSWER);
  }

  /** A file may have its second name on one node alone. */
  private GivenFiles.Way way(NodeAddress node, List<Place> others) {
    LocalBlocks local = client.local();
    if (!local.isOfThisMachine(node)) {
      return GivenFiles.Way.SENT;
    }
    return others.stream().anyMatch(other -> local.isOfThisMachine(other.node()))
        ? GivenFiles.Way.OWN_BYTES
        : GivenFiles.Way.SECOND_NAME;
  }

  /**
   * As rendezvous has them; those that reads went past lately come last, and are asked all the
   * same.
   */
  private List<NodeAddress> inTurn(Optional<View> view, MapOutput output) {
    var nodes = new ArrayList<>(ranked(view, output));
    nodes.sort(Comparator.comparing(client::suspects));
    return nodes;
  }

  private static List<NodeAddress> ranked(Optional<View> view, MapOutput output) {
    return view.isEmpty() ? List.of() : Placement.rank(view.get().view(), output.toString());
  }

  private ScratchOpened put(
      NodeAddress node,
      MapOutput output,
      List<Source> files,
      GivenFiles given,
      Introduction introduction)
      throws IOException {
    var parts = new ArrayList<Part>();
    for (Source source : files) {
      parts.add(new Part(source.ending(), Files.size(source.file())));
    }
    var at = new NodeAttempt(client.pool(node), timeouts.untilSilent());
    ScratchOpened service = service(node, at);
    try {
      introduction.introduce(new Place(node, service));
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "the service of node " + node.id() + " does not answer: " + e, e);
    }
    // All over one connection: what is not committed goes with it.
    var link = new Link(at, at.connection());
    var question = new ReserveScratch(output, service.executor(), parts);
    ScratchReserved room = link.reserve(question);
    boolean committed = false;
    try {
      for (int i = 0; i < parts.size(); i++) {
        Path file = files.get(i).file();
        requireLength(Files.size(file), parts.get(i).bytes(), file);
        if (!given.give(file, Path.of(room.given(i)), parts.get(i).bytes())) {
          link.send(room, i, file, parts.get(i).bytes());
        }
      }
      link.ask(new CommitScratch(room.handle()), Ok.class);
      committed = true;
    } finally {
      if (!committed) {
        link.forget(room.handle());
        given.takeBack();
      }
    }
    return service;
  }

  private static void requireLength(long found, long bytes, Path file) throws IOException {
    if (found < bytes) {
      throw new IOException("a map output became shorter while it was copied: " + file);
    }
  }

  private ScratchOpened service(NodeAddress node, NodeAttempt at) throws EleyException {
    ScratchOpened known = services.get(node.id());
    if (known != null) {
      return known;
    }
    Connection connection = at.connection();
    requireSecrecy(connection);
    ScratchOpened opened = new Link(at, connection).ask(application, ScratchOpened.class);
    services.put(node.id(), opened);
    return opened;
  }

  /** Whoever has the secret reads all of the application's data from any of its services. */
  private void requireSecrecy(Connection connection) throws EleyException {
    if (!application.secret().isEmpty()
        && !connection.protection().encrypts()
        && !withinHost.test(connection)) {
      throw new EleyException(
          ErrorCode.UNAUTHENTICATED,
          "the application's secret would cross the network in the clear to "
              + connection.peer()
              + ": "
              + NetworkKeys.PROTECTION.name()
              + " must be auto or encrypt");
    }
  }

  /** Starts the services of all nodes, so that no task waits for them. Never fails. */
  public void openAll() {
    List<NodeAddress> nodes = client.nodes();
    drops.see(nodes);
    new NodeRound(client, timeouts, timeouts.request())
        .ask(
            nodes,
            new NodeRound.Questions() {
              @Override
              public List<OpenScratch> to(NodeAddress node) {
                return List.of(application);
              }

              @Override
              public void require(Connection connection) throws EleyException {
                requireSecrecy(connection);
              }
            });
  }

  /**
   * Drops outputs on all nodes. Never fails: a node that does not answer is told of a shuffle once
   * it does, one that is away once it is back, within ten minutes; what is left goes with the
   * application.
   *
   * @param shuffle {@link DropScratch#ALL} for everything
   */
  public void drop(int shuffle) {
    drops.drop(shuffle);
  }

  /** One connection to one node. */
  private final class Link {
    private final NodeAttempt at;
    private final Connection connection;
    private final LiveWait wait;

    Link(NodeAttempt at, Connection connection) {
      this.at = at;
      this.connection = connection;
      wait = at.wait(timeouts, timeouts.request(), new LiveWait.Signs() {});
    }

    <T extends Message> T ask(Message question, Class<T> expected) throws EleyException {
      return answer(connection.request(question), expected, question.type().toString());
    }

    /** Room that comes when it is not waited for any more is given back. */
    ScratchReserved reserve(ReserveScratch question) throws EleyException {
      CompletableFuture<Message> room = connection.request(question);
      try {
        return answer(room, ScratchReserved.class, question.type().toString());
      } catch (EleyException e) {
        LiveWait.ifLate(room, this::forgetRoom);
        throw e;
      }
    }

    private void forgetRoom(Message late) {
      if (late instanceof ScratchReserved room) {
        forget(room.handle());
      }
    }

    private <T extends Message> T answer(
        CompletableFuture<Message> answer, Class<T> expected, String what) throws EleyException {
      try {
        Message message = wait.done(connection, answer, what + " to " + connection.peer());
        at.pool().noteAnswer();
        return expected.cast(message);
      } catch (ClassCastException e) {
        throw new EleyException(ErrorCode.MALFORMED, what + " has another answer", e);
      } catch (EleyException e) {
        at.pool().noteOutcome(connection, e);
        throw e;
      }
    }

    void send(ScratchReserved room, int part, Path file, long bytes) throws IOException {
      Deque<CompletableFuture<Message>> under = new ArrayDeque<>();
      try (var in = FileChannel.open(file, StandardOpenOption.READ)) {
        requireLength(in.size(), bytes, file); // or the frame's end would cost the connection
        for (long offset = 0; offset < bytes; ) {
          int length = (int) Math.min(ScratchMessage.PIECE_MAX, bytes - offset);
          under.add(
              connection.request(
                  new WriteScratch(room.handle(), part, offset, length),
                  new FilePayload(in, offset, length),
                  timeouts.stall()));
          offset += length;
          if (under.size() == room.pieces()) {
            answer(under.remove(), Ok.class, "a piece of a map output");
          }
        }
      }
      for (CompletableFuture<Message> piece : under) {
        answer(piece, Ok.class, "a piece of a map output");
      }
    }

    /** The node gives it up with the connection, if not by this. */
    void forget(long handle) {
      var unused = connection.request(new AbandonScratch(handle));
    }
  }
}
