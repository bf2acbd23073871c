package io.eley.local.deployment;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Another user's process on the host: tries every way to a file, and prints a line for each, {@code
 * WAY: got BYTES} or {@code WAY: not, WHY}.
 */
final class StrangerMain {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private StrangerMain() {}

  /** One way to the file's bytes, a name, or anything else that is somebody's. */
  private interface Way {
    byte[] go() throws Exception;
  }

  /**
   * Tries.
   *
   * @param arguments the deployment's directory, the coordinator's and the node's address, the
   *     origin, a private directory of this user, and files to read
   */
  public static void main(String[] arguments) throws Exception {
    String deployment = arguments[0];
    String coordinator = arguments[1];
    String node = arguments[2];
    String origin = arguments[3];
    Path own = Path.of(arguments[4], "secret");
    Secret.create(own);
    var wrong =
        Map.of(
            "eley.deployment.coordinator",
            coordinator,
            "eley.deployment.secret-file",
            own.toString());

    attempt("client with the directory", () -> read(Map.of("eley.deployment", deployment)));
    attempt("client with a secret of its own", () -> read(wrong));
    attempt("list with a secret of its own", () -> list(wrong));
    attempt(
        "client that falls back",
        () ->
            read(
                Map.of(
                    "eley.deployment.coordinator", coordinator,
                    "eley.deployment.secret-file", own.toString(),
                    "eley.client.origin", origin)));
    attempt("coordinator", () -> prove(address(coordinator), own));
    attempt("node", () -> prove(address(node), own));
    attempt("coordinator without a proof", () -> ask(address(coordinator)));
    attempt("node without a proof", () -> ask(address(node)));
    for (String file : List.of(arguments).subList(5, arguments.length)) {
      attempt(file, () -> Files.readAllBytes(Path.of(file)));
    }
  }

  private static void attempt(String name, Way way) {
    try {
      System.out.println(name + ": got " + new String(way.go(), StandardCharsets.ISO_8859_1));
    } catch (Exception e) {
      System.out.println(name + ": not, " + e);
    }
  }

  private static byte[] read(Map<String, String> settings) throws Exception {
    try (var client = EleyClient.open(ClientOptions.from(Settings.of(settings)));
        var file = client.openFile("/secret")) {
      var bytes = ByteBuffer.allocate(16);
      file.readFully(0, bytes);
      return bytes.array();
    }
  }

  private static byte[] list(Map<String, String> settings) throws Exception {
    try (var client = EleyClient.open(ClientOptions.from(Settings.of(settings)))) {
      return client.list("/").toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  private static byte[] prove(InetSocketAddress server, Path secret) throws Exception {
    var options = ConnectionOptions.toCoordinator("stranger", DEADLINE);
    var credentials = new Credentials(Secret.load(secret), Identity.CLIENT);
    try (var connection = Connection.open(server, credentials, options, PushHandler.IGNORE)) {
      return connection.peer().getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Asks for a block at once, without the handshake. */
  private static byte[] ask(InetSocketAddress server) throws Exception {
    try (var socket = new Socket(server.getAddress(), server.getPort())) {
      socket.setSoTimeout((int) DEADLINE.toMillis());
      var block = new BlockId(new FileVersion("/secret", 18_000, 1), 0);
      ByteBuffer frame =
          Codec.encode(new ReadBlock(block, 1 << 20, 0, 18_000, ReadCause.DEMAND, false), 1);
      byte[] bytes = new byte[frame.remaining()];
      frame.get(bytes);
      socket.getOutputStream().write(bytes);
      byte[] answer = socket.getInputStream().readAllBytes();
      if (answer.length < 1024) {
        throw new IllegalStateException(
            "refused: " + new String(answer, StandardCharsets.UTF_8).replaceAll("\\P{Print}", ""));
      }
      return answer;
    }
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
