package io.eley.emulated.pfs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Who may move how many bytes when: one capacity, shared by streams, in virtual time. Pure:
 * requests and times go in, grants with their times come out; it reads no clock and starts no
 * thread.
 *
 * <p>The model is one server of {@code bytesPerSecond} that serves one request at a time, reads and
 * writes alike, and adds a fixed latency to each, which delays the request but takes no capacity.
 * Which request is next is decided by deficit round robin (Shreedhar and Varghese, SIGCOMM 1995):
 * streams with something queued take turns; a turn adds the quantum to the stream's deficit and
 * serves requests from its head while they fit. A stream that runs empty leaves the ring and its
 * deficit is forgotten, so nobody saves up. Over any time in which k streams stay busy each gets
 * 1/k of the capacity to within one quantum, however many requests each has outstanding and however
 * large they are. A request of zero bytes waits for nobody: it costs the latency.
 *
 * <p>Each stream has a link of its own of {@code streamBytesPerSecond}, which begins to move a
 * request when the server does and may take longer over it; the server is then free for others. So
 * one reader with one request outstanding does not get the whole capacity, as on a real file
 * system, where it keeps few of the servers busy.
 *
 * <p><b>Worked numbers.</b> 200 MB/s, latency 0.5 ms, quantum 1 MB, requests of 1 MB, that is 5 ms
 * each. At 0 ms stream A asks for two, B for one. A's first is served from 0 to 5 ms and granted at
 * 5.5; then it is B's turn: 5 to 10, granted at 10.5; then A's second: 10 to 15, granted at 15.5.
 * If B asks again at 10.6, after A's second began, it is served from 15 to 20. With links of 100
 * MB/s, 10 ms a request, A's first is granted at 10.5, B's at 15.5, and A's second, whose link is
 * busy until 10, at 20.5.
 *
 * <p><b>Virtual time.</b> The server's clock moves by service times only, to the fraction of a
 * nanosecond. While requests are queued the next one begins when the last one ended, even when the
 * caller comes by later, so a late wake-up of the process loses no capacity. It is work conserving:
 * the server is idle only while nothing is queued, and idle time is not made up for.
 *
 * <p>Times are nanoseconds of any one clock and must not go back from call to call. Not safe for
 * several threads.
 *
 * @param <T> the caller's name for a request
 */
public final class GrantScheduler<T> {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /**
   * Leave to move some bytes.
   *
   * @param request what {@link #submit} was given
   * @param bytes how many
   * @param atNanos when: end of service plus latency
   */
  public record Grant<T>(T request, int bytes, long atNanos) {}

  /** More links than this are looked through for idle ones, whose past no longer matters. */
  private static final int LINKS_KEPT = 4096;

  private final long bytesPerSecond;
  private final long streamBytesPerSecond;
  private final long latencyNanos;
  private final int quantumBytes;

  private final Map<Object, Stream<T>> streams = new HashMap<>();
  private final ArrayDeque<Stream<T>> ring = new ArrayDeque<>();
  private final PriorityQueue<Numbered<T>> promised =
      new PriorityQueue<>(
          Comparator.<Numbered<T>>comparingLong(n -> n.grant.atNanos)
              .thenComparingLong(n -> n.number));

  /** When the link of a stream is free again; a stream that is not in here has an idle one. */
  private final Map<Object, Long> linkFreeAtNanos = new HashMap<>();

  /** When the server is free for the next request; never decreases. */
  private long freeAtNanos = Long.MIN_VALUE;

  /** Part of a nanosecond that the last service time was rounded down by, in 1/bytesPerSecond. */
  private long fraction;

  private long promises;
  private int queued;

  /**
   * @param bytesPerSecond the shared capacity, one or more
   * @param streamBytesPerSecond what one stream can move at most, one or more; the capacity or more
   *     limits nobody
   * @param latencyNanos added to every request, zero or more
   * @param quantumBytes what a stream may move in its turn, one or more; with the largest request
   *     as quantum a turn always serves at least one request
   */
  public GrantScheduler(
      long bytesPerSecond, long streamBytesPerSecond, long latencyNanos, int quantumBytes) {
    if (bytesPerSecond < 1 || streamBytesPerSecond < 1 || latencyNanos < 0 || quantumBytes < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "capacity %d, of a stream %d, latency %d, quantum %d",
              bytesPerSecond,
              streamBytesPerSecond,
              latencyNanos,
              quantumBytes));
    }
    this.bytesPerSecond = bytesPerSecond;
    this.streamBytesPerSecond = streamBytesPerSecond;
    this.latencyNanos = latencyNanos;
    this.quantumBytes = quantumBytes;
  }

  /**
   * Queues a request.
   *
   * @param nowNanos when it arrived
   * @param stream whose turn it takes; any object with equality
   * @param bytes zero or more
   */
  public void submit(long nowNanos, Object stream, T request, int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative request: " + bytes);
    }
    if (bytes == 0) {
      promise(request, 0, nowNanos);
      return;
    }
    // What was to begin before now is decided without the newcomer.
    serveUntil(nowNanos - 1);
    if (ring.isEmpty() && freeAtNanos < nowNanos) {
      freeAtNanos = nowNanos;
      fraction = 0;
    }
    var queue = streams.computeIfAbsent(stream, Stream::new);
    if (queue.requests.isEmpty()) {
      ring.addLast(queue);
    }
    queue.requests.addLast(new Waiting<>(stream, request, bytes));
    queued++;
  }

  /** The grants whose time has come, in the order of their times. */
  public List<Grant<T>> due(long nowNanos) {
    serveUntil(nowNanos);
    var due = new ArrayList<Grant<T>>();
    for (var head = promised.peek();
        head != null && head.grant.atNanos <= nowNanos;
        head = promised.peek()) {
      due.add(head.grant);
      promised.remove();
    }
    return due;
  }

  /** When to call {@link #due} next; empty while nothing is asked for. */
  public OptionalLong nextNanos() {
    var head = promised.peek();
    if (ring.isEmpty()) {
      return head == null ? OptionalLong.empty() : OptionalLong.of(head.grant.atNanos);
    }
    // A grant may wait for its link and be overtaken by one that is still queued.
    return OptionalLong.of(head == null ? freeAtNanos : Math.min(freeAtNanos, head.grant.atNanos));
  }

  /**
   * Forgets the streams that match, with all they have queued. What they have been promised still
   * comes out of {@link #due}: its capacity is spent.
   */
  public void forget(Predicate<Object> stream) {
    linkFreeAtNanos.keySet().removeIf(stream);
    streams
        .values()
        .removeIf(
            s -> {
              boolean gone = stream.test(s.key);
              if (gone) {
                ring.remove(s);
                queued -= s.requests.size();
              }
              return gone;
            });
  }

  /** Requests that have not begun to be served. */
  public int queued() {
    return queued;
  }

  private void serveUntil(long nowNanos) {
    while (!ring.isEmpty() && freeAtNanos <= nowNanos) {
      Waiting<T> next = takeNext();
      queued--;
      long begin = freeAtNanos;
      // At most 2^31 * 10^9 + bytesPerSecond: fits a long with room to spare.
      long scaled = next.bytes * NANOS_PER_SECOND + fraction;
      freeAtNanos += scaled / bytesPerSecond;
      fraction = scaled % bytesPerSecond;
      promise(
          next.request,
          next.bytes,
          Math.max(freeAtNanos, linkDone(next.stream, begin, next.bytes)));
    }
  }

  /** When the stream's link has moved a request that the server begins now, or earlier. */
  private long linkDone(Object stream, long beginNanos, int bytes) {
    if (streamBytesPerSecond >= bytesPerSecond) {
      return beginNanos;
    }
    long from = Math.max(beginNanos, linkFreeAtNanos.getOrDefault(stream, Long.MIN_VALUE));
    long done = from + bytes * NANOS_PER_SECOND / streamBytesPerSecond;
    if (linkFreeAtNanos.size() >= LINKS_KEPT) {
      linkFreeAtNanos.values().removeIf(free -> free <= beginNanos);
    }
    linkFreeAtNanos.put(stream, done);
    return done;
  }

  /** The request whose turn it is; the ring is not empty. */
  private Waiting<T> takeNext() {
    while (true) {
      Stream<T> stream = ring.element();
      if (!stream.inTurn) {
        stream.inTurn = true;
        stream.deficit += quantumBytes;
      }
      Waiting<T> head = stream.requests.element();
      if (head.bytes <= stream.deficit) {
        stream.requests.remove();
        stream.deficit -= head.bytes;
        if (stream.requests.isEmpty()) {
          ring.remove();
          streams.remove(stream.key);
        }
        return head;
      }
      stream.inTurn = false;
      ring.addLast(ring.remove());
    }
  }

  private void promise(T request, int bytes, long servedNanos) {
    promised.add(
        new Numbered<>(promises++, new Grant<>(request, bytes, servedNanos + latencyNanos)));
  }

  private record Waiting<T>(Object stream, T request, int bytes) {}

  private record Numbered<T>(long number, Grant<T> grant) {}

  private static final class Stream<T> {
    final Object key;
    final ArrayDeque<Waiting<T>> requests = new ArrayDeque<>();
    long deficit;
    boolean inTurn;

    Stream(Object key) {
      this.key = key;
    }
  }
}
