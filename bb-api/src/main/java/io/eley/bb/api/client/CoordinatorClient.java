package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage;
import io.eley.bb.api.wire.PhaseMessage;
import io.eley.bb.api.wire.PlanMessage;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A client of the coordinator. It connects on the first call and again when the connection has
 * ended; while the coordinator is away, calls fail at once with {@code UNAVAILABLE} except for one
 * try per back-off, so that readers fall back without waiting. Every call blocks up to the
 * deadline. Safe for several threads.
 */
public final class CoordinatorClient implements AutoCloseable {
  private final ClientOptions.Deployment deployment;
  private final ClientOptions.Timeouts timeouts;
  private final Backoff backoff = Backoff.live();
  private final AtomicBoolean away = new AtomicBoolean();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Connection connection;
  private final AtomicLong generation = new AtomicLong();
  private final KeptStatuses kept = new KeptStatuses(System::nanoTime);
  private final UntoldChanges untold = new UntoldChanges();
  private volatile boolean closed;

  private CoordinatorClient(ClientOptions.Deployment deployment, ClientOptions.Timeouts timeouts) {
    this.deployment = deployment;
    this.timeouts = timeouts;
  }

  /**
   * Makes a client; it does not connect yet.
   *
   * @throws EleyException {@code UNAVAILABLE} when the options name no deployment
   */
  public static CoordinatorClient open(ClientOptions options) throws EleyException {
    return open(options, Duration.ZERO);
  }

  /**
   * The same for who can wait.
   *
   * @param silence how long the coordinator may at least say nothing before it is asked whether it
   *     lives, and then again, before {@link #view} fails
   */
  public static CoordinatorClient open(ClientOptions options, Duration silence)
      throws EleyException {
    return new CoordinatorClient(
        options
            .deployment()
            .orElseThrow(
                () ->
                    new EleyException(
                        ErrorCode.UNAVAILABLE,
                        "no deployment: set " + ClientKeys.DEPLOYMENT.name())),
        options.timeouts().withSilence(silence));
  }

  /** The view and the origin's address. */
  public MetadataMessage.View view() throws EleyException {
    return view(timeouts.untilSilent());
  }

  MetadataMessage.View view(Patience patience) throws EleyException {
    return askLive(new MetadataMessage.GetView(), MetadataMessage.View.class, patience);
  }

  /**
   * A file's attributes; from what is {@linkplain KeptStatuses kept}, without a question, where the
   * coordinator has lent them.
   *
   * @param opening the file is about to be read: the answer was checked against the origin recently
   * @throws EleyException {@code NOT_FOUND} and what else the origin says
   */
  public OriginStatus stat(String path, boolean opening) throws EleyException {
    return stat(path, opening, timeouts.patience());
  }

  OriginStatus stat(String path, boolean opening, Patience patience) throws EleyException {
    OriginStatus known = opening ? null : known(path);
    if (known != null) {
      return known;
    }
    KeptStatuses.Question asked = kept.ask(path, opening);
    try {
      var question = new MetadataMessage.GetStatus(path, opening);
      var answer = askLive(question, MetadataMessage.Status.class, patience);
      asked.keep(answer.status(), answer.lease());
      return answer.status();
    } catch (EleyException e) {
      asked.fail();
      throw e;
    }
  }

  /** Nothing without a connection: what was lent over one counts as given back at its end. */
  private @Nullable OriginStatus known(String path) {
    return connected() ? kept.get(path) : null;
  }

  /** How fast this client may read past the buffer; reports what it has read so. */
  FallbackLane fallback(AskFallback question) throws EleyException {
    return askLive(question, FallbackLane.class, timeouts.lastQuestion());
  }

  /** All children of a directory, in the order of their names. */
  public List<OriginStatus> list(String path) throws EleyException {
    var children = new ArrayList<OriginStatus>();
    Patience patience = timeouts.patience();
    String after = "";
    while (true) {
      var page =
          askLive(
              new MetadataMessage.GetListing(path, after), MetadataMessage.Listing.class, patience);
      children.addAll(page.children());
      if (!page.more() || page.children().isEmpty()) {
        return children;
      }
      String last = page.children().get(page.children().size() - 1).path();
      after = last.substring(last.lastIndexOf('/') + 1);
    }
  }

  /**
   * Notifies the coordinator that we changed this path or something below it. When this returns no
   * client answers with what was before; one that hangs delays that by half a second at most. When
   * it fails the coordinator is notified before whatever this client asks it next.
   */
  public void forget(String path) throws EleyException {
    kept.drop();
    try {
      askLive(new MetadataMessage.Forget(path), Message.class, timeouts.patience());
    } catch (EleyException e) {
      // Before the drop below: what is asked and kept from then on comes behind it.
      untold.add(path);
      throw e;
    } finally {
      // Of what was asked for meanwhile, too, some may be from before the change.
      kept.drop();
    }
  }

  /**
   * Announces a phase; returns when the nodes have confirmed, or the coordinator has given up
   * waiting for them.
   */
  public PhaseMessage.PhaseHeld beginPhase(String application, Duration lease)
      throws EleyException {
    return ask(new PhaseMessage.BeginPhase(application, lease), PhaseMessage.PhaseHeld.class);
  }

  /** Ends a phase that was announced; returns whether there was one. */
  public boolean endPhase(String application) throws EleyException {
    return ask(new PhaseMessage.EndPhase(application), PhaseMessage.PhaseEnded.class).wasOpen();
  }

  public DeploymentReport report() throws EleyException {
    return ask(new PhaseMessage.GetReport(), PhaseMessage.Report.class).report();
  }

  /** Why something is, or is not, in the buffer; see {@link PhaseMessage.GetWhy}. */
  public List<String> why(String target) throws EleyException {
    return ask(new PhaseMessage.GetWhy(target), PhaseMessage.Why.class).lines();
  }

  /** Reports a part of the plan; waits until the coordinator has confirmed it. */
  public void send(PlanMessage message) throws EleyException {
    ask(message, Message.class);
  }

  /**
   * A number that grows with every new connection. A new connection may lead to a new process that
   * knows nothing, so a caller reports again what the coordinator must know when this has grown.
   */
  public long generation() {
    return generation.get();
  }

  /** Whether a connection stands now. */
  public boolean connected() {
    Connection current = connection;
    return current != null && current.isOpen();
  }

  /** Does not wait for whoever dials now: that one closes what it gets. */
  @Override
  public void close() {
    closed = true;
    Connection current = connection;
    if (current != null) {
      current.close();
    }
  }

  private <T> T ask(Message question, Class<T> answer) throws EleyException {
    return ask(
        question,
        answer,
        new Call() {
          @Override
          public Duration connecting() {
            return timeouts.connect();
          }

          @Override
          public Message on(Connection connection) throws EleyException {
            return connection.call(question, timeouts.request());
          }
        });
  }

  /** Asks what a reader waits for: a coordinator that hangs is noticed at once. */
  private <T> T askLive(Message question, Class<T> answer, Patience patience) throws EleyException {
    return patience.attempt(
        () ->
            ask(
                question,
                answer,
                new Call() {
                  @Override
                  public Duration connecting() {
                    return patience.within(timeouts.connect());
                  }

                  @Override
                  public Message on(Connection connection) throws EleyException {
                    return callLive(connection, question, patience);
                  }
                }));
  }

  private <T> T ask(Message question, Class<T> answer, Call call) throws EleyException {
    Connection current = connection(call.connecting());
    Message message;
    try {
      message = call.on(current);
    } catch (EleyException e) {
      if (e.remedy() == Remedy.RETRY && !current.isOpen()) {
        // The connection may have died long ago unnoticed; only a new one shows whether the
        // coordinator is gone.
        message = call.on(connection(call.connecting()));
      } else {
        throw e;
      }
    }
    noteAnswer();
    if (!answer.isInstance(message)) {
      throw new EleyException(
          ErrorCode.MALFORMED, "unexpected answer " + message.type() + " to " + question.type());
    }
    return answer.cast(message);
  }

  /** One way to ask over a connection. */
  private interface Call {
    /** How long connecting may take now. */
    Duration connecting();

    Message on(Connection connection) throws EleyException;
  }

  private Message callLive(Connection connection, Message question, Patience patience)
      throws EleyException {
    Duration silence = patience.silence(timeouts.silence());
    var wait = new LiveWait(silence, timeouts.request(), new LiveWait.Signs() {});
    try {
      return wait.done(
          connection, connection.request(question), question.type() + " to " + connection.peer());
    } catch (LiveWait.SilentPeerException e) {
      if (backoff.noteSilence() > 1) {
        connection.close();
      }
      noteAway(e);
      throw e;
    }
  }

  private Connection connection(Duration atMost) throws EleyException {
    requireReady(backoff.ready() || closed);
    Turns.take(lock, atMost, "the coordinator");
    try {
      requireOpen();
      requireReady(backoff.admit());
      Connection current = connection;
      Connection open = current != null && current.isOpen() ? current : connect(atMost);
      untold.tell(open);
      return open;
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() throws EleyException {
    if (closed) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "the client is closed");
    }
  }

  private void noteAway(EleyException why) {
    if (why.code() != ErrorCode.INTERRUPTED && away.compareAndSet(false, true)) {
      log()
          .log(
              Level.WARNING,
              "the coordinator does not answer ({0}): reads go past the buffer where it is needed",
              why.getMessage());
    }
  }

  private void noteAnswer() {
    backoff.noteSuccess();
    if (away.get() && away.compareAndSet(true, false)) {
      log().log(Level.INFO, "the coordinator answers again");
    }
  }

  /** When there is something to say: to find out how costs more than a short command's own work. */
  private static System.Logger log() {
    return System.getLogger(CoordinatorClient.class.getName());
  }

  private static void requireReady(boolean ready) throws EleyException {
    if (!ready) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "the coordinator does not answer; will try again soon");
    }
  }

  /**
   * Hears of changes over one connection, on its reader's thread. That thread confirms them: who
   * has changed something waits for it, and what it writes is small.
   */
  private final class Changes implements PushHandler {
    private volatile @Nullable Connection from;

    @Override
    public void pushed(Message message) {
      if (message instanceof MetadataMessage.StatusesChanged change) {
        kept.drop();
        confirm(change);
      }
    }

    private void confirm(MetadataMessage.StatusesChanged change) {
      // It is known: the coordinator pushes to those only who have asked something.
      Connection told = from;
      try {
        if (told != null) {
          told.send(new MetadataMessage.StatusesSeen(change.number()));
        }
      } catch (EleyException e) {
        // The connection has ended, and with it what was lent over it.
      }
    }
  }

  private Connection connect(Duration atMost) throws EleyException {
    var changes = new Changes();
    try {
      var opened =
          Connection.open(
              deployment.address(),
              deployment.credentials(),
              ConnectionOptions.toCoordinator("eley-coordinator-reader", atMost)
                  .withStall(timeouts.stall()),
              changes);
      changes.from = opened;
      if (generation.getAndIncrement() > 0) {
        kept.drop();
      }
      connection = opened;
      if (closed) {
        opened.close();
      }
      requireOpen();
      return opened;
    } catch (EleyException e) {
      noteAway(e);
      backoff.noteFailure(e);
      throw e;
    }
  }
}
