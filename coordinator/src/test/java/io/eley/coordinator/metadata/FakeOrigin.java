package io.eley.coordinator.metadata;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.origin.OriginStatus;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** An origin in memory that counts its calls and, told so, does not come back from them. */
final class FakeOrigin implements Origin {
  final Map<String, OriginStatus> files = new ConcurrentHashMap<>();
  final AtomicInteger stats = new AtomicInteger();
  final AtomicInteger lists = new AtomicInteger();
  volatile CountDownLatch gate = new CountDownLatch(0);
  volatile EleyException trouble;
  private volatile boolean answersAreOld;

  void put(String path, long length) {
    files.put(path, new OriginStatus(path, false, length, 1, 0644, "me", "us"));
  }

  /** Calls from now on hang until {@code gate} is opened. */
  void freeze() {
    gate = new CountDownLatch(1);
  }

  /** As {@link #freeze}, but what will be answered is what is there when the call comes. */
  void freezeAnswers() {
    answersAreOld = true;
    freeze();
  }

  private void enter() throws EleyException {
    CountDownLatch before = gate;
    while (before.getCount() > 0) {
      try {
        before.await();
      } catch (InterruptedException e) {
        // As in uninterruptible sleep: nothing ends this but the server.
        Thread.yield();
      }
    }
    EleyException now = trouble;
    if (now != null) {
      throw now;
    }
  }

  @Override
  public OriginStatus stat(String path) throws EleyException {
    OriginStatus old = files.get(path);
    stats.incrementAndGet();
    enter();
    OriginStatus status = answersAreOld ? old : files.get(path);
    if (status == null) {
      throw new EleyException(ErrorCode.NOT_FOUND, "no such file on the origin: " + path);
    }
    return status;
  }

  @Override
  public List<OriginStatus> list(String path) throws EleyException {
    lists.incrementAndGet();
    enter();
    return files.values().stream()
        .filter(s -> s.path().startsWith(path + "/"))
        .sorted(java.util.Comparator.comparing(OriginStatus::path))
        .toList();
  }

  @Override
  public String address() {
    return "fake";
  }

  @Override
  public OriginFile open(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public OutputStream create(String path, boolean overwrite) {
    throw new UnsupportedOperationException();
  }

  @Override
  public OutputStream append(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void makeDirectories(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void rename(String from, String to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(String path, boolean recursive) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
