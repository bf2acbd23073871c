package io.eley.origin.hadoop;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.UUID;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * What a gateway over a mount of a parallel file system has beside S3Proxy's own store of files.
 *
 * <p>That store keeps ETags in extended attributes, which OrangeFS's mount does not have, and files
 * that others wrote have none anyway; S3A reads no object without one. So a file's length and time
 * make its ETag. And that store copies 8 KiB at a time, each of which is a request to the file
 * system's servers here; this one copies a MiB.
 */
final class MountStore extends ForwardingBlobStore {
  private static final int PIECE = 1 << 20;

  private final Path root;

  MountStore(BlobStore files, Path root) {
    super(files);
    this.root = root;
  }

  private static String etag(long length, Instant modified) {
    return "\"" + Long.toHexString(length) + "-" + Long.toHexString(modified.toEpochMilli()) + "\"";
  }

  @Override
  public HeadObjectResponse blobMetadata(HeadObjectRequest request) {
    HeadObjectResponse found = super.blobMetadata(request);
    return found == null || found.eTag() != null
        ? found
        : found.toBuilder().eTag(etag(found.contentLength(), found.lastModified())).build();
  }

  @Override
  public ListObjectsV2Response list(ListObjectsV2Request request) {
    ListObjectsV2Response found = super.list(request);
    var contents =
        found.contents().stream()
            .map(
                each ->
                    each.eTag() != null || each.lastModified() == null
                        ? each
                        : each.toBuilder().eTag(etag(each.size(), each.lastModified())).build())
            .toList();
    return found.toBuilder().contents(contents).build();
  }

  @Override
  public ResponseInputStream<GetObjectResponse> getBlob(GetObjectRequest request) {
    ResponseInputStream<GetObjectResponse> found = super.getBlob(request);
    if (found == null || found.response().eTag() != null) {
      return found;
    }
    GetObjectResponse response = found.response();
    String etag = etag(length(response), response.lastModified());
    if (request.ifMatch() != null && !request.ifMatch().replace("\"", "").equals(bare(etag))) {
      found.abort();
      throw S3Exception.builder()
          .statusCode(412)
          .awsErrorDetails(AwsErrorDetails.builder().errorCode("PreconditionFailed").build())
          .message("another version")
          .build();
    }
    return new ResponseInputStream<>(
        response.toBuilder().eTag(etag).build(),
        AbortableInputStream.create(new BufferedInputStream(found, PIECE)));
  }

  private static String bare(String etag) {
    return etag.replace("\"", "");
  }

  /** Of the whole object: a range's answer has it behind the slash. */
  private static long length(GetObjectResponse response) {
    String range = response.contentRange();
    return range == null
        ? response.contentLength()
        : Long.parseLong(range.substring(range.indexOf('/') + 1));
  }

  /** Visible when it is whole, as the store below does it. */
  @Override
  public PutObjectResponse putBlob(PutObjectRequest request, InputStream payload) {
    if (request.key().endsWith("/")) {
      return super.putBlob(request, payload);
    }
    Path bucket = root.resolve(request.bucket());
    Path file = bucket.resolve(request.key()).normalize();
    if (!file.startsWith(bucket)) {
      throw new IllegalArgumentException("not below the bucket: " + request.key());
    }
    try {
      Files.createDirectories(file.getParent());
      Path beside = file.resolveSibling("." + file.getFileName() + "-" + UUID.randomUUID());
      try (var out = Files.newOutputStream(beside)) {
        byte[] piece = new byte[PIECE];
        for (int n = payload.readNBytes(piece, 0, PIECE);
            n > 0;
            n = payload.readNBytes(piece, 0, PIECE)) {
          out.write(piece, 0, n);
        }
      }
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
      Instant modified = Files.getLastModifiedTime(file).toInstant();
      return PutObjectResponse.builder().eTag(etag(Files.size(file), modified)).build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
