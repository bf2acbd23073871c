package io.eley.system.contract;

import io.eley.bb.api.BufferMode;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.system.Deployments;
import io.eley.system.origin.StoreProcess;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * What {@code bb://} lies over in Hadoop's contract tests: a coordinator and nodes in this JVM over
 * an origin, made by the first test that needs them and ended with the JVM. A store is a process of
 * its own.
 */
final class ContractOrigin {
  /** What may be below. */
  enum Kind {
    /** A directory. */
    MOUNT,
    /** A name node and a data node. */
    HDFS,
    /** A server that checks signatures. */
    S3
  }

  /** The origin of a class, or of those within it. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  @interface Over {
    Kind value();
  }

  private static final Map<Kind, ContractOrigin> ALL = new EnumMap<>(Kind.class);

  private final Kind kind;
  private @Nullable StoreProcess store;
  private @Nullable Deployments deployment;
  private @Nullable FileSystem files;

  private ContractOrigin(Kind kind) {
    this.kind = kind;
  }

  /** The one that a test's class, or the class around it, names; otherwise the mount. */
  static ContractOrigin of(Object test) {
    var kind = Kind.MOUNT;
    for (Class<?> at = test.getClass(); at != null; at = at.getEnclosingClass()) {
      Over over = at.getAnnotation(Over.class);
      kind = over == null ? kind : over.value();
    }
    synchronized (ALL) {
      return ALL.computeIfAbsent(kind, ContractOrigin::new);
    }
  }

  Kind kind() {
    return kind;
  }

  /** Makes the origin; returns its address. */
  private String open(Path directory) throws Exception {
    return switch (kind) {
      case MOUNT -> Files.createDirectory(directory.resolve("origin")).toString();
      case HDFS -> hdfs(directory);
      case S3 -> s3(directory);
    };
  }

  private String hdfs(Path directory) throws Exception {
    Configuration.addDefaultResource("contract/hdfs-client.xml");
    URI address = URI.create(serve(StoreProcess.hdfs(directory)).get("fs.defaultFS"));
    try (var fs = FileSystem.newInstance(address, new Configuration())) {
      fs.mkdirs(new org.apache.hadoop.fs.Path("/data"));
    }
    return address + "/data";
  }

  /** Its clients have a file that names system properties, wherever the server listens. */
  private String s3(Path directory) throws Exception {
    serve(StoreProcess.s3(directory))
        .forEach(entry -> System.setProperty("test." + entry.getKey(), entry.getValue()));
    Configuration.addDefaultResource("contract/s3-client.xml");
    return "s3a://bucket/";
  }

  private Configuration serve(StoreProcess started) {
    store = started;
    return started.client();
  }

  /** The file system over it. One for all tests: Hadoop's cache would not tell origins apart. */
  synchronized FileSystem files(Configuration conf) throws IOException {
    if (files == null) {
      try {
        var directory = Files.createTempDirectory("eley-contract");
        // Before anything is started: a server that does not come up leaves a directory, too.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(directory)));
        var started = new Deployments(directory, open(directory), BufferMode.NO_ACTION);
        deployment = started;
        started.startNode("a", "32m");
        started.startNode("b", "32m");
        conf.set("fs.bb.impl", BbFileSystem.class.getName());
        conf.set("eley.deployment", started.deploymentDirectory().toString());
        files = FileSystem.newInstance(URI.create("bb:///"), conf);
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
    return files;
  }

  private synchronized void end(Path directory) {
    if (deployment != null) {
      deployment.close();
    }
    if (store != null) {
      store.close();
    }
    try (var left = Files.walk(directory)) {
      left.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
    } catch (IOException e) {
      System.err.println("left behind: " + directory + " " + e);
    }
  }
}
