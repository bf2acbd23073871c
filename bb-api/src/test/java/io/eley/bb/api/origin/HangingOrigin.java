package io.eley.bb.api.origin;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A directory of which openings and reads hang while a test wants them to. As of a channel, closing
 * a file waits for the reads in it. Files are counted.
 */
public final class HangingOrigin {
  private static final Map<String, HangingOrigin> BY_PATH = new ConcurrentHashMap<>();

  /** Files that were opened. */
  public final AtomicInteger opened = new AtomicInteger();

  /** Files that were closed, each as often as it was. */
  public final AtomicInteger closed = new AtomicInteger();

  /** Reads that have begun. */
  public final AtomicInteger reads = new AtomicInteger();

  private final Path directory;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  public HangingOrigin(Path directory) {
    this.directory = directory;
    BY_PATH.put(directory.toString(), this);
  }

  /** Its address, by which {@link Origins#open} finds it. */
  public String address() {
    return "hanging://" + directory;
  }

  /** From now on nothing comes back. */
  public void freeze() {
    gate = new CountDownLatch(1);
  }

  /** All that hangs comes back. */
  public void thaw() {
    gate.countDown();
  }

  /** As others see it. */
  public Origin open() throws EleyException {
    var mounted = MountedOrigin.open(directory);
    return (Origin)
        Proxy.newProxyInstance(
            Origin.class.getClassLoader(),
            new Class<?>[] {Origin.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("open")) {
                pass();
                String path = arguments[0] instanceof FileVersion v ? v.path() : "" + arguments[0];
                var file = new HangingFile(mounted.open(path));
                opened.incrementAndGet();
                return file;
              }
              try {
                return method.invoke(mounted, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void pass() {
    boolean interrupted = false;
    while (true) {
      try {
        gate.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true; // as in uninterruptible sleep
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private final class HangingFile implements OriginFile {
    private final OriginFile file;
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

    HangingFile(OriginFile file) {
      this.file = file;
    }

    @Override
    public OriginStatus status() {
      return file.status();
    }

    @Override
    public OriginStatus currentStatus() throws EleyException {
      return file.currentStatus();
    }

    @Override
    public int read(long position, ByteBuffer target, ReadCause cause) throws EleyException {
      use.readLock().lock();
      try {
        reads.incrementAndGet();
        pass();
        return file.read(position, target, cause);
      } finally {
        use.readLock().unlock();
      }
    }

    @Override
    public void close() throws EleyException {
      use.writeLock().lock();
      try {
        file.close();
        closed.incrementAndGet();
      } finally {
        use.writeLock().unlock();
      }
    }
  }

  /** Found as a real one is. */
  public static final class Provider implements OriginProvider {
    @Override
    public String scheme() {
      return "hanging";
    }

    @Override
    public Origin open(URI address, String client) throws EleyException {
      return java.util.Objects.requireNonNull(BY_PATH.get(address.getPath())).open();
    }
  }
}
