package io.eley.bb.server.node;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/** A connection to a coordinator that answers by a function and records what it is told. */
final class FakeUplink implements Uplink {
  final List<Message> requests = new CopyOnWriteArrayList<>();
  final List<Message> sent = new CopyOnWriteArrayList<>();
  final Consumer<Message> pushes;
  private final Function<Message, CompletableFuture<Message>> answers;
  private final List<Runnable> onClose = new CopyOnWriteArrayList<>();
  private volatile boolean open = true;

  FakeUplink(Consumer<Message> pushes, Function<Message, CompletableFuture<Message>> answers) {
    this.pushes = pushes;
    this.answers = answers;
  }

  static CompletableFuture<Message> ok() {
    return CompletableFuture.completedFuture(new Ok());
  }

  static CompletableFuture<Message> failure(ErrorCode code) {
    return CompletableFuture.failedFuture(new EleyException(code, "refused, on purpose"));
  }

  <T extends Message> List<T> requests(Class<T> type) {
    return requests.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Override
  public CompletableFuture<Message> request(Message message) {
    requests.add(message);
    return answers.apply(message);
  }

  @Override
  public void send(Message message) {
    sent.add(message);
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void onClose(Runnable action) {
    onClose.add(action);
  }

  @Override
  public String localHost() {
    return "127.0.0.9";
  }

  @Override
  public void close() {
    open = false;
    onClose.forEach(Runnable::run);
    onClose.clear();
  }
}
