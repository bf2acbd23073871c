package io.eley.origin.hadoop;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
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
    this(files(directory));
  }

  private MiniS3(BlobStore files) throws Exception {
    store = new CountingStore(files);
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
    settings().forEach(conf::set);
    conf.set("fs.s3a.retry.throttle.interval", "20ms");
    return conf;
  }

  private Map<String, String> settings() {
    return Map.of(
        "fs.s3a.endpoint",
        "http://127.0.0.1:" + server.getPort(),
        "fs.s3a.endpoint.region",
        "us-east-1",
        "fs.s3a.path.style.access",
        "true",
        "fs.s3a.access.key",
        KEY,
        "fs.s3a.secret.key",
        SECRET,
        // Not in Hadoop's own place, which all users and all tests of a machine have in common.
        "fs.s3a.buffer.dir",
        Path.of(System.getProperty("java.io.tmpdir"), "s3a").toString());
  }

  /** A gateway: the directory is a mount of a file system that others write to as well. */
  static MiniS3 overMount(Path directory) throws Exception {
    return new MiniS3(new MountStore(files(directory), directory));
  }

  /** S3Proxy's own store, with the bucket in it. */
  private static BlobStore files(Path directory) throws IOException {
    Files.createDirectories(directory.resolve(BUCKET));
    return new FilesystemNio2BlobStore(directory.toString());
  }

  /**
   * As a process: serves the directory that the first argument names, which is a mount when there
   * is a third, {@code mount}; and writes what its clients need to the file that the second names,
   * once it listens. Ends when its input does.
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    try (var server = arguments.length > 2 ? overMount(directory) : new MiniS3(directory)) {
      var client = new Configuration(false);
      server.settings().forEach(client::set);
      Path written = Path.of(arguments[1]);
      Path beside = written.resolveSibling(written.getFileName() + ".new");
      try (var out = Files.newOutputStream(beside)) {
        client.writeXml(out);
      }
      Files.move(beside, written, StandardCopyOption.ATOMIC_MOVE);
      long unused = System.in.transferTo(OutputStream.nullOutputStream());
    }
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
