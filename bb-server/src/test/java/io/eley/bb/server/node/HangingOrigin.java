package io.eley.bb.server.node;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.origin.OriginStatus;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** An origin whose files of one name are on a server that does not answer until it is thawed. */
final class HangingOrigin implements Origin {
  private final Origin origin;
  private final String hangs;
  private final CountDownLatch thawed = new CountDownLatch(1);

  HangingOrigin(Origin origin, String hangs) {
    this.origin = origin;
    this.hangs = hangs;
  }

  void thaw() {
    thawed.countDown();
  }

  private void perhapsHang(String path) {
    // Deaf to interrupts, as a process in uninterruptible sleep is.
    while (path.equals(hangs) && thawed.getCount() > 0) {
      try {
        thawed.await();
      } catch (InterruptedException e) {
        // deaf
      }
    }
  }

  @Override
  public OriginFile open(String path) throws EleyException {
    OriginFile file = origin.open(path);
    return new OriginFile() {
      @Override
      public OriginStatus status() {
        return file.status();
      }

      @Override
      public OriginStatus currentStatus() throws EleyException {
        perhapsHang(path);
        return file.currentStatus();
      }

      @Override
      public int read(long position, ByteBuffer target, ReadCause cause) throws EleyException {
        perhapsHang(path);
        return file.read(position, target, cause);
      }

      @Override
      public void close() throws EleyException {
        file.close();
      }
    };
  }

  @Override
  public String address() {
    return origin.address();
  }

  @Override
  public OriginStatus stat(String path) throws EleyException {
    return origin.stat(path);
  }

  @Override
  public List<OriginStatus> list(String path) throws EleyException {
    return origin.list(path);
  }

  @Override
  public OutputStream create(String path, boolean overwrite) throws EleyException {
    throw readOnly();
  }

  @Override
  public OutputStream append(String path) throws EleyException {
    throw readOnly();
  }

  @Override
  public void makeDirectories(String path) throws EleyException {
    throw readOnly();
  }

  @Override
  public void rename(String from, String to) throws EleyException {
    throw readOnly();
  }

  @Override
  public void delete(String path, boolean recursive) throws EleyException {
    throw readOnly();
  }

  private static EleyException readOnly() {
    return new EleyException(ErrorCode.ORIGIN_FAILED, "read only");
  }

  @Override
  public void close() {
    thaw();
    origin.close();
  }
}
