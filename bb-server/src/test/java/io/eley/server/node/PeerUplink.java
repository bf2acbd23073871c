package io.eley.server.node;

import io.eley.api.error.EleyException;
import io.eley.api.error.ErrorCode;
import io.eley.api.wire.FrameHeader;
import io.eley.api.wire.Message;
import io.eley.api.wire.ReplyMessage.Failure;
import io.eley.api.wire.Secret;
import io.eley.server.net.BlockingPeer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A connection to the coordinator that needs nothing but a socket and the wire format. */
final class PeerUplink implements Uplink {
  private final BlockingPeer peer;
  private final Consumer<Message> pushes;
  private final Map<Long, CompletableFuture<Message>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong correlation = new AtomicLong(100);
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private PeerUplink(BlockingPeer peer, Consumer<Message> pushes) {
    this.peer = peer;
    this.pushes = pushes;
    var reader = new Thread(this::readAll, "test-uplink");
    reader.setDaemon(true);
    reader.start();
  }

  static Uplink dial(int port, Secret secret, Consumer<Message> pushes) throws EleyException {
    try {
      return new PeerUplink(BlockingPeer.authenticated(port, secret), pushes);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot connect", e);
    }
  }

  private void readAll() {
    try {
      while (true) {
        var answer = peer.read();
        var asked = waiting.remove(answer.header().correlation());
        if (answer.header().correlation() == FrameHeader.PUSH) {
          pushes.accept(answer.message());
        } else if (asked != null && answer.message() instanceof Failure failure) {
          asked.completeExceptionally(failure.toException());
        } else if (asked != null) {
          asked.complete(answer.message());
        }
      }
    } catch (IOException e) {
      waiting.values().forEach(w -> w.completeExceptionally(e));
      ended.complete(null);
    }
  }

  @Override
  public CompletableFuture<Message> request(Message message) {
    var answer = new CompletableFuture<Message>();
    long id = correlation.incrementAndGet();
    waiting.put(id, answer);
    try {
      write(id, message);
    } catch (EleyException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  @Override
  public void send(Message message) throws EleyException {
    write(FrameHeader.PUSH, message);
  }

  private synchronized void write(long id, Message message) throws EleyException {
    try {
      peer.send(id, message);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "connection lost", e);
    }
  }

  @Override
  public boolean isOpen() {
    return !ended.isDone();
  }

  @Override
  public void onClose(Runnable action) {
    ended.thenRun(action);
  }

  @Override
  public String localHost() {
    return "127.0.0.1";
  }

  @Override
  public void close() {
    try {
      peer.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }
}
