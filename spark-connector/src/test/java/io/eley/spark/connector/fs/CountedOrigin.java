package io.eley.spark.connector.fs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.AbortableOutput;
import io.eley.bb.api.origin.DurableOutput;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginProvider;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** {@code counted:///directory}: a mounted origin that counts what is written to its streams. */
public final class CountedOrigin implements OriginProvider {
  /** Something that a test does in the middle of a call about a path. */
  interface Step {
    void run(Object path) throws Exception;
  }

  /** What the streams of one directory were asked. */
  static final class Calls {
    final List<Integer> writes = new CopyOnWriteArrayList<>();
    final AtomicInteger forces = new AtomicInteger();
    final AtomicInteger closes = new AtomicInteger();
    final AtomicInteger aborts = new AtomicInteger();

    /** As whom it was opened. */
    final List<String> users = new CopyOnWriteArrayList<>();

    volatile boolean full;
    volatile boolean durable = true;
    volatile boolean abortable;
    volatile boolean appends = true;

    /** What looks at attributes waits for. */
    final CountDownLatch answers = new CountDownLatch(1);

    volatile boolean hangs;

    /** Whether looks at attributes fail once a stream to append is open. */
    volatile boolean failsAfterAppend;

    private volatile boolean fails;

    /** What others do right before and after calls, by the names of methods. */
    final Map<String, Step> before = new ConcurrentHashMap<>();

    final Map<String, Step> after = new ConcurrentHashMap<>();
  }

  private static final Map<String, Calls> CALLS = new ConcurrentHashMap<>();

  static Calls calls(Path directory) {
    return CALLS.computeIfAbsent(directory.toString(), key -> new Calls());
  }

  @Override
  public String scheme() {
    return "counted";
  }

  @Override
  public Origin open(URI address, String client) throws EleyException {
    var directory = Path.of(address.getPath());
    var mounted = MountedOrigin.open(directory);
    Calls calls = calls(directory);
    calls.users.add(user());
    return (Origin)
        Proxy.newProxyInstance(
            CountedOrigin.class.getClassLoader(),
            new Class<?>[] {Origin.class},
            (proxy, method, arguments) -> {
              if (calls.hangs && method.getName().equals("stat")) {
                calls.answers.await();
              }
              if (calls.fails && method.getName().equals("stat")) {
                throw new EleyException(ErrorCode.ORIGIN_FAILED, "gone");
              }
              calls.fails |= calls.failsAfterAppend && method.getName().equals("append");
              if (method.getName().equals("appends")) {
                return calls.appends;
              }
              take(calls.before.get(method.getName()), arguments);
              try {
                Object result = method.invoke(mounted, arguments);
                take(calls.after.get(method.getName()), arguments);
                return result instanceof OutputStream out ? counted(out, calls) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static String user() throws EleyException {
    try {
      return UserGroupInformation.getCurrentUser().getShortUserName();
    } catch (IOException e) {
      throw new EleyException(ErrorCode.INTERNAL, "no user", e);
    }
  }

  private static void take(@Nullable Step step, Object @Nullable [] arguments) throws Exception {
    if (step != null) {
      step.run(arguments == null ? "" : arguments[0]);
    }
  }

  private static OutputStream counted(OutputStream out, Calls calls) {
    if (calls.abortable) {
      return new Abortable(out, calls);
    }
    return calls.durable ? new Durable(out, calls) : new Counted(out, calls);
  }

  private static class Counted extends FilterOutputStream {
    final Calls calls;

    Counted(OutputStream out, Calls calls) {
      super(out);
      this.calls = calls;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      if (calls.full) {
        throw new EleyException(ErrorCode.ORIGIN_FAILED, "no space left");
      }
      calls.writes.add(count);
      out.write(bytes, offset, count);
    }

    @Override
    public void close() throws IOException {
      calls.closes.incrementAndGet();
      super.close();
    }
  }

  private static final class Abortable extends Counted implements AbortableOutput {
    Abortable(OutputStream out, Calls calls) {
      super(out, calls);
    }

    @Override
    public void abort() throws EleyException {
      calls.aborts.incrementAndGet();
    }
  }

  private static final class Durable extends Counted implements DurableOutput {
    Durable(OutputStream out, Calls calls) {
      super(out, calls);
    }

    @Override
    public void force() throws EleyException {
      calls.forces.incrementAndGet();
      ((DurableOutput) out).force();
    }
  }
}
