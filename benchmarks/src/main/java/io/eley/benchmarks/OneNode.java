package io.eley.benchmarks;

import io.eley.bb.api.client.BbFile;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.server.node.NodeOptions;
import io.eley.bb.server.node.NodeServer;
import io.eley.coordinator.CoordinatorServer;
import io.eley.coordinator.config.CoordinatorOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * A deployment in this JVM: coordinator, one node and a client, talking over loopback, with
 * everything at its default but verification. Its one file lies on the RAM-disk twice: in the
 * origin, where the raw benchmarks read it, and as blocks of the node, all of them there before a
 * measurement begins.
 */
final class OneNode implements AutoCloseable {
  /** Of the file, within the origin. */
  static final String PATH = "/file";

  static final int BLOCK = 16 << 20;
  static final int BLOCKS = 8;
  static final long LENGTH = (long) BLOCK * BLOCKS;

  private static final Size USUAL = new Size(BLOCK, BLOCKS);

  /** How large the file is: blocks of so many bytes. */
  record Size(int block, int blocks) {
    long length() {
      return (long) block * blocks;
    }
  }

  private final Ram ram = new Ram();
  private final CoordinatorServer coordinator;
  private final NodeServer node;
  private final EleyClient client;
  private final BbFile file;
  private final Map<Source, Long> atFirst = new EnumMap<>(Source.class);

  /**
   * @param local whether the client may read the node's files
   */
  OneNode(boolean local) throws IOException {
    this(local, Map.of());
  }

  /**
   * One with further settings.
   *
   * @param local whether the client may read the node's files
   * @param more configuration keys with their values
   */
  OneNode(boolean local, Map<String, String> more) throws IOException {
    this(USUAL, local, more);
  }

  /** One with a file of another size. */
  OneNode(Size size, boolean local, Map<String, String> more) throws IOException {
    ram.file("origin" + PATH, size.length());
    var settings = settings(ram, size, local, more);
    coordinator = CoordinatorServer.start(CoordinatorOptions.from(settings));
    node = NodeServer.start(NodeOptions.from(settings));
    client = EleyClient.open(ClientOptions.from(settings));
    file = client.openFile(PATH);
    fetchAll(size);
  }

  private static Settings settings(Ram ram, Size size, boolean local, Map<String, String> more) {
    Map<String, String> values = new HashMap<>();
    // What verifying costs has benchmarks of its own.
    values.put("eley.client.verify", "false");
    values.putAll(more);
    values.put("eley.coordinator.directory", ram.resolve("deployment").toString());
    values.put("eley.coordinator.origin", ram.resolve("origin").toString());
    values.put("eley.coordinator.listen-host", "127.0.0.1");
    values.put("eley.deployment", ram.resolve("deployment").toString());
    values.put("eley.node.directory", ram.resolve("node").toString());
    values.put("eley.block-size", Integer.toString(size.block()));
    values.put("eley.node.memory", Long.toString(2 * size.length()));
    values.put("eley.node.listen-host", "127.0.0.1");
    values.put("eley.client.local", Boolean.toString(local));
    // As the driver plugin sets it.
    values.put("eley.client.read-ahead", "false");
    return Settings.of(values);
  }

  private void fetchAll(Size size) throws IOException {
    var target = ByteBuffer.allocateDirect(size.block());
    for (int i = 0; i < size.blocks(); i++) {
      file.readFully((long) i * size.block(), target.clear());
    }
    while (node.counters().blocks() < size.blocks()) {
      Thread.onSpinWait();
    }
    for (var source : Source.values()) {
      atFirst.put(source, client.counters().bytes(source));
    }
  }

  /** The deployment's directory, for another client. */
  String directory() {
    return ram.resolve("deployment").toString();
  }

  /** The directory with the file, for who reads it past Eley. */
  String origin() {
    return ram.resolve("origin").toString();
  }

  /** The same file through Eley. */
  BbFile file() {
    return file;
  }

  EleyClient client() {
    return client;
  }

  /**
   * Fails when more than a stray read was served in another way than the one that is measured: the
   * figure would mean nothing.
   */
  void requireServedFrom(Source expected) {
    long others = 0;
    for (var source : Source.values()) {
      others +=
          source == expected
              ? 0
              : client.counters().bytes(source) - atFirst.getOrDefault(source, 0L);
    }
    long served = client.counters().bytes(expected);
    if (client.counters().fallbacks() > 0 || others * 20 > served) {
      throw new IllegalStateException(
          expected + " served " + served + " bytes, others " + others + ": not what is measured");
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
    client.close();
    node.close();
    coordinator.close();
    ram.close();
  }
}
