package io.eley.bb.api.client;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetListing;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.Listing;
import io.eley.bb.api.wire.MetadataMessage.Status;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A deployment's directory, an origin, and a coordinator that answers from both, unless a test
 * tells it otherwise.
 */
final class FakeDeployment implements AutoCloseable {
  static final int CHUNK = 4096;
  static final int BLOCK = 4 * CHUNK;

  final Path directory;
  final Path origin;
  Secret secret;
  private final List<Closeable> opened = new ArrayList<>();
  private ScriptedServer coordinator;
  private volatile ScriptedServer.Script script = this::answer;
  private volatile FallbackLane fallbackLane =
      new FallbackLane(Permit.Lane.UNLIMITED, Duration.ofMillis(100));
  private volatile Duration statusLease = Duration.ZERO;
  private volatile ClusterView view =
      new ClusterView(1, new BlockGeometry(BLOCK, CHUNK), BufferMode.FULL_DELAY, List.of());

  FakeDeployment(Path temp) throws IOException {
    directory = Files.createDirectory(temp.resolve("deployment"));
    origin = Files.createDirectory(temp.resolve("origin"));
    secret = Secret.create(directory.resolve("secret"));
    coordinator = start();
  }

  private ScriptedServer start() throws IOException {
    var server = new ScriptedServer(secret, (peer, id, request) -> script.on(peer, id, request));
    Files.writeString(
        directory.resolve("coordinator.address"), "127.0.0.1:" + server.address().getPort());
    return server;
  }

  /** The coordinator dies and is started again at another port. */
  void restart() throws IOException {
    coordinator.close();
    coordinator = start();
  }

  /**
   * It is ended and made anew in its directory: with another secret, which nodes have from now on.
   */
  void renew() throws IOException {
    coordinator.close();
    Files.delete(directory.resolve("secret"));
    secret = Secret.create(directory.resolve("secret"));
    coordinator = start();
  }

  /** What a client knows nodes by that has read this secret. */
  static NodeCredentials credentials(Secret secret) {
    return new NodeCredentials(() -> new Credentials(secret, Identity.CLIENT), System::nanoTime);
  }

  /** How fast clients may read past the buffer from now on; 0 is not now. */
  void allowFallback(long bytesPerSecond) {
    fallbackLane = new FallbackLane(bytesPerSecond, Duration.ofMillis(100));
  }

  /** For how long clients may answer for a status themselves from now on; at first they may not. */
  void lendStatuses(Duration lease) {
    statusLease = lease;
  }

  /** The coordinator dies; its address file stays. */
  void stopCoordinator() throws IOException {
    coordinator.close();
  }

  /** What the coordinator does from now on. */
  void coordinate(ScriptedServer.Script newer) {
    script = newer;
  }

  /** What the coordinator does by itself. */
  void answer(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    try (var mounted = MountedOrigin.open(origin)) {
      if (request instanceof GetView) {
        peer.send(id, new View(view, origin.toString()));
      } else if (request instanceof GetStatus m) {
        peer.send(id, new Status(mounted.stat(m.path()), statusLease));
      } else if (request instanceof GetListing m) {
        peer.send(id, new Listing(mounted.list(m.path()), false));
      } else if (request instanceof AskFallback) {
        peer.send(id, fallbackLane);
      } else {
        peer.send(id, new Ok());
      }
    } catch (EleyException e) {
      peer.send(id, Failure.of(e));
    }
  }

  /** A newer view. */
  void view(BufferMode mode, NodeAddress... nodes) {
    view = new ClusterView(view.epoch() + 1, view.geometry(), mode, List.of(nodes));
  }

  /** A node that does what the script says, on another machine than ours. */
  ScriptedServer node(ScriptedServer.Script behaviour) throws IOException {
    var node = new ScriptedServer(secret, behaviour);
    opened.add(node::close);
    return node;
  }

  /** The address of a node of that name; the server is it from now on. */
  static NodeAddress at(String id, ScriptedServer node) {
    node.as(Identity.node(new NodeId(id)));
    return new NodeAddress(new NodeId(id), "127.0.0.1", node.address().getPort(), "elsewhere");
  }

  ScriptedServer coordinator() {
    return coordinator;
  }

  /**
   * Options for this deployment: no read-ahead, nothing local or verified, and patience with peers,
   * so that a busy machine makes none of them silent; tests about silence say otherwise.
   */
  ClientOptions options(Map<String, String> more) {
    var values = new HashMap<String, String>();
    values.put("eley.deployment", directory.toString());
    values.put("eley.client.read-ahead", "false");
    values.put("eley.client.local", "false");
    values.put("eley.client.verify", "false");
    values.put("eley.client.request-deadline", "20s");
    values.put(ClientKeys.CONNECT_TIMEOUT.name(), "20s");
    values.put(ClientKeys.SILENCE.name(), "10s");
    values.putAll(more);
    return ClientOptions.from(Settings.of(values));
  }

  /** The patience that clients have when nothing is set, and more. */
  static Map<String, String> usualPatience(Map<String, String> more) {
    var values = new HashMap<>(more);
    for (var key : List.of(ClientKeys.CONNECT_TIMEOUT, ClientKeys.SILENCE)) {
      values.putIfAbsent(key.name(), key.defaultValue().toMillis() + "ms");
    }
    return values;
  }

  EleyClient client(Map<String, String> more) throws EleyException {
    var client = EleyClient.open(options(more));
    opened.add(client::close);
    return client;
  }

  CoordinatorClient coordinatorClient() throws EleyException {
    var client = CoordinatorClient.open(options(Map.of()));
    opened.add(client::close);
    return client;
  }

  /** How often the coordinator was asked such a question. */
  long asked(Class<? extends Message> question) {
    return coordinator.requests().stream().filter(question::isInstance).count();
  }

  @Override
  public void close() throws IOException {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    coordinator.close();
  }
}
