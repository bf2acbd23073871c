package io.eley.spark.connector.plan;

import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Endpoints;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage.Greeting;
import io.eley.bb.api.wire.HandshakeMessage.Proof;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.api.wire.SecuredFrames;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A deployment of a coordinator alone, which answers as a test says, or does not. */
final class FakeCoordinator implements AutoCloseable {
  private final ServerSocket listener;
  private final Path directory;
  private final Credentials credentials;
  private final Function<Message, Optional<Message>> answers;
  private final List<Message> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();

  /**
   * A coordinator that listens.
   *
   * @param directory of the deployment, to be made
   * @param answers to each message; empty is none
   */
  FakeCoordinator(Path directory, Function<Message, Optional<Message>> answers) throws Exception {
    this.directory = Files.createDirectory(directory);
    this.answers = answers;
    credentials = new Credentials(Secret.create(directory.resolve("secret")), Identity.COORDINATOR);
    listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    Files.writeString(
        directory.resolve("coordinator.address"), "127.0.0.1:" + listener.getLocalPort());
    daemon(this::accept);
  }

  Path directory() {
    return directory;
  }

  /** What it was asked and told so far. */
  List<Message> requests() {
    return requests;
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        connections.add(socket);
        daemon(() -> serve(socket));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      var in = new DataInputStream(socket.getInputStream());
      var ends =
          new Endpoints(
              (InetSocketAddress) socket.getRemoteSocketAddress(),
              (InetSocketAddress) socket.getLocalSocketAddress());
      Frame hello = clear(in);
      var handshake = new Handshake.Server(credentials, ends, (Greeting) hello.message);
      write(socket, Codec.encode(handshake.challenge(), hello.correlation));
      Frame proof = clear(in);
      SecuredFrames frames = handshake.verify((Proof) proof.message);
      write(socket, frames.out().seal(Codec.encode(new Ok(), proof.correlation)));
      while (true) {
        Frame request = sealed(in, frames.in());
        requests.add(request.message);
        Optional<Message> answer = answers.apply(request.message);
        if (answer.isPresent()) {
          write(socket, frames.out().seal(Codec.encode(answer.get(), request.correlation)));
        }
      }
    } catch (IOException e) {
      // It is over.
    }
  }

  private record Frame(long correlation, Message message) {}

  private static Frame clear(DataInputStream in) throws IOException {
    var header = FrameHeader.decode(bytes(in, FrameHeader.BYTES), FrameHeader.MAX_HANDSHAKE_BODY);
    return new Frame(header.correlation(), Codec.decode(header, bytes(in, header.bodyLength())));
  }

  private static Frame sealed(DataInputStream in, FrameOpener opener) throws IOException {
    int prefix = in.readInt();
    ByteBuffer rest = bytes(in, FrameOpener.lengthBehind(prefix));
    var whole = ByteBuffer.allocate(Integer.BYTES + rest.remaining()).putInt(prefix).put(rest);
    ByteBuffer frame = opener.open(whole.flip());
    var header = FrameOpener.header(frame);
    return new Frame(header.correlation(), Codec.decode(header, frame));
  }

  private static ByteBuffer bytes(DataInputStream in, int count) throws IOException {
    var bytes = new byte[count];
    in.readFully(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static void write(Socket to, ByteBuffer bytes) throws IOException {
    var all = new byte[bytes.remaining()];
    bytes.get(all);
    to.getOutputStream().write(all);
  }

  private static void daemon(Runnable work) {
    var thread = new Thread(work, "fake-coordinator");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }
}
