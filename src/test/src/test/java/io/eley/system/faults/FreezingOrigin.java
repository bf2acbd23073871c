package io.eley.system.faults;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code freezing:///directory}: a directory behind servers that can be frozen. While they are, no
 * call comes back, whoever made it, and interrupts are not heard, as in uninterruptible sleep. All
 * origins of this JVM freeze together; the calls go on where they were when it thaws.
 */
public final class FreezingOrigin implements OriginProvider {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Condition THAWED = LOCK.newCondition();
  private static boolean frozen;

  static void freeze(boolean now) {
    LOCK.lock();
    try {
      frozen = now;
      THAWED.signalAll();
    } finally {
      LOCK.unlock();
    }
  }

  private static void perhapsFreeze() {
    LOCK.lock();
    try {
      while (frozen) {
        THAWED.awaitUninterruptibly();
      }
    } finally {
      LOCK.unlock();
    }
  }

  @Override
  public String scheme() {
    return "freezing";
  }

  @Override
  public Origin open(URI address, String client) throws EleyException {
    var mounted = MountedOrigin.open(Path.of(address.getPath()));
    return (Origin) freezing(Origin.class, mounted, address.toString());
  }

  /** The same object, whose every call may freeze; so do the files that it opens. */
  private static Object freezing(Class<?> type, Object target, String address) {
    return Proxy.newProxyInstance(
        FreezingOrigin.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          if (method.getName().equals("address")) {
            return address;
          }
          if (!method.getName().equals("close")) {
            perhapsFreeze();
          }
          try {
            Object result = method.invoke(target, arguments);
            return result instanceof io.eley.bb.api.origin.OriginFile file
                ? freezing(io.eley.bb.api.origin.OriginFile.class, file, address)
                : result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }
}
