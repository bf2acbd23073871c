package io.eley.simulation;

import io.eley.bb.api.ByteRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * A parallel file system of several servers, as OrangeFS behind one mount for each host.
 *
 * <ul>
 *   <li>A <b>mount</b> serves one request at a time, in the order in which they came; what is
 *       larger than a request is cut into several, one after the other.
 *   <li>A <b>request</b> takes its latency, then goes to all servers that hold stripes of its
 *       range, the file's first one on a server by its name; it is done when its last part is.
 *   <li>A <b>server</b> moves one part after the other, reads and writes in one queue.
 * </ul>
 *
 * <p>Each request takes by chance more or less time than the next one, about 1 on average.
 */
final class StripedFileSystem {
  private final Agenda agenda;
  private final Layout layout;
  private final Random random;
  private final List<Server> servers = new ArrayList<>();
  private long moved;

  /**
   * What it is made of.
   *
   * @param servers how many
   * @param stripe bytes of a file that follow each other on one server
   * @param request bytes of the largest request
   * @param bytesPerSecond of a server, both directions together
   * @param latencyNanos of a request besides the servers' work
   * @param noise sigma of the log-normal factor by which requests differ
   */
  record Layout(
      int servers,
      int stripe,
      int request,
      double bytesPerSecond,
      long latencyNanos,
      double noise) {}

  StripedFileSystem(Agenda agenda, Layout layout, Random random) {
    this.agenda = agenda;
    this.layout = layout;
    this.random = random;
    for (int i = 0; i < layout.servers(); i++) {
      servers.add(new Server());
    }
  }

  /** A mount of its own for a host. */
  Mount mount() {
    return new Queue();
  }

  /** A server moves nothing for so long, and then goes on. */
  void freeze(int server, long nanos) {
    servers.get(server).frozenUntil = agenda.now() + nanos;
  }

  /** Bytes that everybody has moved. */
  long moved() {
    return moved;
  }

  private record Request(String file, ByteRange range, Runnable done) {}

  /** The requests of one host. */
  private final class Queue implements Mount {
    private final Deque<Request> waiting = new ArrayDeque<>();
    private boolean busy;

    @Override
    public void move(String file, ByteRange range, Runnable done) {
      for (long at = range.offset(); at < range.end(); at += layout.request()) {
        long length = Math.min(layout.request(), range.end() - at);
        boolean last = at + length == range.end();
        waiting.add(new Request(file, new ByteRange(at, length), last ? done : () -> {}));
      }
      serve();
    }

    private void serve() {
      Request next = busy ? null : waiting.poll();
      if (next != null) {
        busy = true;
        double factor =
            Math.exp(layout.noise() * random.nextGaussian() - layout.noise() * layout.noise() / 2);
        agenda.after(
            (long) (factor * layout.latencyNanos()),
            () -> spread(next, factor, () -> finish(next)));
      }
    }

    private void finish(Request request) {
      busy = false;
      request.done().run();
      serve();
    }
  }

  /** Gives each server its part of a request. */
  private void spread(Request request, double factor, Runnable done) {
    long[] bytes = new long[layout.servers()];
    long end = request.range().end();
    for (long at = request.range().offset(); at < end; ) {
      long stripe = at / layout.stripe();
      long next = Math.min(end, (stripe + 1) * layout.stripe());
      bytes[Math.floorMod(request.file().hashCode() + stripe, layout.servers())] += next - at;
      at = next;
    }
    int[] left = {(int) java.util.Arrays.stream(bytes).filter(b -> b > 0).count()};
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] > 0) {
        long nanos = (long) (factor * bytes[i] / layout.bytesPerSecond() * 1e9);
        servers
            .get(i)
            .add(
                new Part(
                    bytes[i],
                    nanos,
                    () -> {
                      if (--left[0] == 0) {
                        done.run();
                      }
                    }));
      }
    }
  }

  private record Part(long bytes, long nanos, Runnable done) {}

  private final class Server {
    private final Deque<Part> waiting = new ArrayDeque<>();
    private boolean busy;
    private long frozenUntil;

    void add(Part part) {
      waiting.add(part);
      serve();
    }

    private void serve() {
      Part next = busy ? null : waiting.poll();
      if (next != null) {
        busy = true;
        agenda.after(Math.max(0, frozenUntil - agenda.now()) + next.nanos(), () -> finish(next));
      }
    }

    private void finish(Part part) {
      if (agenda.now() < frozenUntil) {
        agenda.at(frozenUntil, () -> finish(part)); // what was under way stands still, too
        return;
      }
      busy = false;
      moved += part.bytes();
      part.done().run();
      serve();
    }
  }
}
