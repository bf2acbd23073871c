package io.eley.origin.hadoop;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/**
 * An S3 server in this JVM over a directory: S3Proxy, which checks signatures of version 4, serves
 * ranges and conditional requests, and gives ETags.
 */
final class MiniS3 implements AutoCloseable {
  static final String BUCKET = "bucket";
  private static final String KEY = "someone";
  private static final String SECRET = "what-someone-keeps-to-himself";

  /** Counts requests, and may be slow or busy. */
  final CountingStore store;

  private final S3Proxy server;

  MiniS3(Path directory) throws Exception {
    Files.createDirectories(directory.resolve(BUCKET));
    store = new CountingStore(new FilesystemNio2BlobStore(directory.toString()));
    server =
        S3Proxy.builder()
            .blobStore(store)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, KEY, SECRET)
            .build();
    server.start();
  }

  /** What a user has in his {@code core-site.xml}. */
  Configuration configuration() {
    Configuration conf = ClientSettings.load(MiniS3.class.getClassLoader());
    conf.set("fs.s3a.endpoint", "http://127.0.0.1:" + server.getPort());
    conf.set("fs.s3a.endpoint.region", "us-east-1");
    conf.setBoolean("fs.s3a.path.style.access", true);
    conf.set("fs.s3a.access.key", KEY);
    conf.set("fs.s3a.secret.key", SECRET);
    conf.set("fs.s3a.retry.throttle.interval", "20ms");
    return conf;
  }

  /** S3A as a user writes with it. */
  FileSystem files() throws IOException {
    return FileSystem.newInstance(URI.create("s3a://" + BUCKET + "/"), configuration());
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IOException("the S3 server does not stop", e);
    }
  }
}
