package io.eley.origin.hadoop;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A name node and a data node in this JVM, on loopback and free ports. */
final class MiniHdfs implements AutoCloseable {
  private final MiniDFSCluster cluster;

  MiniHdfs(Path directory) throws IOException {
    var conf = new Configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    conf.setInt("dfs.replication", 1);
    // No test waits for a block that is full; a busy machine must not lose its only data node.
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 600_000);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
    cluster.waitActive();
  }

  /** An address below it. */
  URI address(String path) {
    return cluster.getURI(0).resolve(path);
  }

  FileSystem files() throws IOException {
    return cluster.getFileSystem();
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
