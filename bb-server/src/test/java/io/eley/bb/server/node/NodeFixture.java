package io.eley.bb.server.node;

import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.server.fetch.FetchOptions;
import io.eley.bb.server.net.BlockingPeer;
import io.eley.bb.server.net.NetworkOptions;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An origin with files, a fake coordinator, and nodes that belong to it. */
final class NodeFixture implements AutoCloseable {
  static final int BLOCK = FakeCoordinator.GEOMETRY.blockSize();
  static final int CHUNK = FakeCoordinator.GEOMETRY.chunkSize();

  final Path deployment;
  final Secret secret;
  final Path origin;
  final Path ramDisk;
  volatile FakeCoordinator coordinator;
  NodeServer.OriginOpener origins = address -> Origins.open(address, "node");

  /** Where its nodes listen. */
  String host = "127.0.0.1";

  long memory = 64L << 20;
  Duration originDeadline = Duration.ofSeconds(20);
  NetworkProtection protection = NetworkProtection.AUTO;
  Optional<NodeOptions.Scratch> scratch = Optional.empty();
  private final List<Closeable> opened = new ArrayList<>();

  /** What came for one read. */
  static final class Reading {
    private final List<BlockData> frames;
    private final byte[] bytes;
    private final @Nullable Failure failure;

    Reading(List<BlockData> frames, byte[] bytes, @Nullable Failure failure) {
      this.frames = frames;
      this.bytes = bytes;
      this.failure = failure;
    }

    List<BlockData> frames() {
      return frames;
    }

    byte[] bytes() {
      return bytes;
    }

    @Nullable Failure failure() {
      return failure;
    }

    /** The failure of a read that must have failed. */
    Failure failed() {
      return Objects.requireNonNull(failure, "the read did not fail");
    }
  }

  NodeFixture(Path directory) throws IOException {
    deployment = Files.createDirectory(directory.resolve("deployment"));
    secret = Secret.create(deployment.resolve("secret"));
    origin = Files.createDirectory(directory.resolve("origin"));
    ramDisk = Files.createDirectories(directory.resolve("ram"));
    coordinator = new FakeCoordinator(origin, secret);
  }

  NodeOptions options(Path directory) {
    return new NodeOptions(
        directory,
        "",
        memory,
        new NodeOptions.Listening(
            host, 0, "", new NetworkOptions(protection, Duration.ofSeconds(20)), 2),
        new NodeOptions.Coordinator(
            () -> coordinator.address(), secret, Duration.ofSeconds(20), Duration.ofSeconds(20)),
        new NodeOptions.Fetching(
            new FetchOptions(2, originDeadline, 8),
            Duration.ofSeconds(30),
            1 << 20,
            Duration.ofSeconds(60)),
        scratch);
  }

  NodeServer start() throws EleyException {
    return start("a");
  }

  NodeServer start(String name) throws EleyException {
    var node = NodeServer.start(options(ramDisk.resolve(name)), origins);
    opened.add(node::close);
    return node;
  }

  BlockingPeer client(NodeServer node) throws IOException {
    var peer = BlockingPeer.connect(node.address().host(), node.address().port());
    opened.add(peer::close);
    peer.authenticate(secret, Identity.node(node.address().id()));
    return peer;
  }

  /** A client as an executor has one, which finds everything through the deployment directory. */
  EleyClient eleyClient(Map<String, String> more) throws IOException {
    var address = coordinator.address();
    Files.writeString(
        deployment.resolve("coordinator.address"),
        address.getAddress().getHostAddress() + ":" + address.getPort());
    var values = new HashMap<String, String>(more);
    values.put("eley.deployment", deployment.toString());
    // On a busy machine nobody falls silent.
    values.putIfAbsent("eley.client.connect-timeout", "20s");
    values.putIfAbsent("eley.client.silence", "10s");
    // It asks for single bytes, which would blur the counts.
    values.putIfAbsent("eley.client.read-ahead", "false");
    var client = EleyClient.open(ClientOptions.from(Settings.of(values)));
    opened.add(client::close);
    return client;
  }

  /** A file of the origin with random bytes. */
  byte[] file(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(name.hashCode()).nextBytes(bytes);
    Files.write(origin.resolve(name), bytes);
    return bytes;
  }

  FileVersion version(String name) throws EleyException {
    try (var mounted = MountedOrigin.open(origin)) {
      return mounted.stat("/" + name).version();
    }
  }

  List<BlockId> blocks(String name) throws EleyException {
    FileVersion version = version(name);
    return IntStream.range(0, FakeCoordinator.GEOMETRY.blockCount(version.length()))
        .mapToObj(i -> new BlockId(version, i))
        .toList();
  }

  /** Orders blocks and waits until the node has reported them. */
  void prefetch(List<BlockId> blocks) {
    coordinator.open();
    coordinator.fetch(blocks);
    await().until(() -> coordinator.buffered.containsAll(blocks));
  }

  static ReadBlock whole(BlockId block) {
    int length = FakeCoordinator.GEOMETRY.length(block);
    return new ReadBlock(block, BLOCK, 0, length, ReadCause.DEMAND, false);
  }

  static Reading read(BlockingPeer client, ReadBlock request) throws IOException {
    client.send(77, request);
    return reading(client);
  }

  /** The frames up to the last one, or to the failure. */
  static Reading reading(BlockingPeer client) throws IOException {
    var frames = new ArrayList<BlockData>();
    var bytes = new ByteArrayOutputStream();
    while (true) {
      var answer = client.read();
      if (answer.message() instanceof Failure failure) {
        return new Reading(frames, bytes.toByteArray(), failure);
      }
      var data = (BlockData) answer.message();
      frames.add(data);
      bytes.write(answer.payload());
      if (data.last()) {
        return new Reading(frames, bytes.toByteArray(), null);
      }
    }
  }

  /** All of a file, block by block. */
  static byte[] readAll(BlockingPeer client, List<BlockId> blocks) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (var block : blocks) {
      bytes.write(read(client, whole(block)).bytes());
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() throws IOException {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    coordinator.close();
  }
}
