package io.eley.bb.server.scratch;

/** A service that is up until it is told otherwise. */
final class FakeService implements ScratchStore.Service {
  private final int port;
  volatile boolean alive = true;
  private volatile Runnable then = () -> {};

  /** What happens just behind an answer whether it is alive. */
  volatile Runnable behindAnswer = () -> {};

  FakeService(int port) {
    this.port = port;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public boolean alive() {
    boolean answer = alive;
    behindAnswer.run();
    return answer;
  }

  @Override
  public void whenEnded(Runnable then) {
    this.then = then;
  }

  /** As when its process is killed. */
  void die() {
    alive = false;
    then.run();
  }

  /** What ending it takes. */
  volatile Runnable inClose = () -> {};

  @Override
  public void close() {
    inClose.run();
    alive = false;
  }
}
