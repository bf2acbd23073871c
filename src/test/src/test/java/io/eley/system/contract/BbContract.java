package io.eley.system.contract;

import io.eley.bb.api.BufferMode;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.system.Deployments;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Comparator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.jspecify.annotations.Nullable;

/**
 * {@code bb://} for Hadoop's contract tests: a coordinator and two nodes in this JVM over a
 * temporary directory, made by the first test that needs them and ended with the JVM.
 */
final class BbContract extends AbstractFSContract {
  private static @Nullable Deployments deployment;

  BbContract(Configuration conf) {
    super(conf);
    addConfResource("contract/bb.xml");
    conf.set("fs.bb.impl", BbFileSystem.class.getName());
    conf.set("eley.deployment", deployment().deploymentDirectory().toString());
  }

  private static synchronized Deployments deployment() {
    if (deployment == null) {
      try {
        var directory = Files.createTempDirectory("eley-contract");
        var origin = Files.createDirectory(directory.resolve("origin"));
        var started = new Deployments(directory, origin, BufferMode.NO_ACTION);
        started.startNode("a", "32m");
        started.startNode("b", "32m");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(started, directory)));
        deployment = started;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    return deployment;
  }

  private static void end(Deployments started, java.nio.file.Path directory) {
    started.close();
    try (var files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
    } catch (IOException e) {
      System.err.println("left behind: " + directory + " " + e);
    }
  }

  @Override
  public String getScheme() {
    return "bb";
  }

  @Override
  public FileSystem getTestFileSystem() throws IOException {
    return new Path("bb:///").getFileSystem(getConf());
  }

  @Override
  public Path getTestPath() {
    return new Path("/test");
  }
}
