package io.eley.origin.hadoop;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Counts what is asked of a store, and says that it is busy as often as it is told to. Below an
 * object there is nothing, as in S3, where the directory behind it would fail.
 */
final class CountingStore extends ForwardingBlobStore {
  /** The ranges of all GETs, {@code bytes=0-1023}. */
  final List<String> ranges = new CopyOnWriteArrayList<>();

  final AtomicInteger heads = new AtomicInteger();

  /** So many GETs are answered by 503. */
  final AtomicInteger busy = new AtomicInteger();

  /** So many GETs and PUTs are answered by 500. */
  final AtomicInteger away = new AtomicInteger();

  /** Runs in each GET, before it is answered. */
  volatile Runnable whenAsked = () -> {};

  /** GETs are not answered before, for a minute. */
  volatile CountDownLatch answersWhen = new CountDownLatch(0);

  CountingStore(BlobStore store) {
    super(store);
  }

  void forget() {
    ranges.clear();
    heads.set(0);
  }

  @Override
  public ResponseInputStream<GetObjectResponse> getBlob(GetObjectRequest request) {
    refuse(busy, 503, "SlowDown");
    refuse(away, 500, "InternalError");
    ranges.add(String.valueOf(request.range()));
    whenAsked.run();
    try {
      boolean unused = answersWhen.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return super.getBlob(request);
  }

  @Override
  public PutObjectResponse putBlob(PutObjectRequest request, InputStream content) {
    if (away.get() > 0) {
      discard(content);
      refuse(away, 500, "InternalError");
    }
    return super.putBlob(request, content);
  }

  /** Else the connection breaks, and the client's next attempt with it. */
  private static void discard(InputStream content) {
    try {
      long unused = content.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void refuse(AtomicInteger left, int status, String code) {
    if (left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw S3Exception.builder()
          .statusCode(status)
          .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage(code).build())
          .message(code)
          .build();
    }
  }

  @Override
  public HeadObjectResponse blobMetadata(HeadObjectRequest request) {
    heads.incrementAndGet();
    try {
      return super.blobMetadata(request);
    } catch (RuntimeException e) {
      if (belowAFile(e)) {
        throw NoSuchKeyException.builder().statusCode(404).message("NoSuchKey").build();
      }
      throw e;
    }
  }

  /** Of S3's flat names, one may begin with another; the directory says that it is none. */
  private static boolean belowAFile(RuntimeException e) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof FileSystemException && String.valueOf(at).contains("Not a directory")) {
        return true;
      }
    }
    return false;
  }
}
