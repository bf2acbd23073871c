package io.eley.coordinator.board;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BoardMessage.AskBoard;
import io.eley.bb.api.wire.BoardMessage.BoardView;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.controller.phase.Blindness;
import io.eley.coordinator.neighbours.FileSystemName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A deployment's way to a site's board: the address that is published, a token, and a connection
 * that is made again when it is gone.
 *
 * <p>For one thread, which it blocks for {@link #DEADLINE} at most, and for the file system of the
 * board's directory.
 */
public final class BoardLink implements AutoCloseable {
  static final Duration DEADLINE = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(BoardLink.class);
  private static final int MOST_OF_AN_ADDRESS = 512;

  private final BoardFiles files;
  private final NetworkProtection protection;
  private final Token token;
  private Optional<Connection> connection = Optional.empty();

  /**
   * A link that has not connected yet.
   *
   * @param protection what the operator asks of connections
   */
  BoardLink(BoardFiles files, NetworkProtection protection) {
    this.files = files;
    this.protection = protection;
    token = new Token(files);
  }

  /**
   * Connects and asks as a deployment does, which it is not taken for, and leaves nothing.
   *
   * @param origin address of what a deployment would read; without one nothing is asked
   * @return what the board does not see
   * @throws EleyException in one line for the user: nobody is there, or would take us, or watches
   *     another file system
   */
  public static Blindness tryOnce(
      BoardFiles files, NetworkProtection protection, Optional<String> origin)
      throws EleyException {
    try (var link = new BoardLink(files, protection)) {
      // Before it connects: a mount may hang, and the connection with it.
      String fileSystem = origin.isEmpty() ? "" : FileSystemName.of(origin.get());
      Connection connected = link.connection();
      return fileSystem.isEmpty()
          ? Blindness.NONE
          : BoardSampler.blindness(ask(connected, AskBoard.look(fileSystem)));
    } catch (EleyException e) {
      throw e;
    } catch (NoSuchFileException e) {
      throw new EleyException(ErrorCode.NOT_FOUND, none(files), e);
    } catch (IOException e) {
      throw BoardDirectory.unusable(files.directory(), e);
    }
  }

  static BoardView ask(Connection connected, AskBoard question) throws EleyException {
    Message answer = connected.call(question, DEADLINE);
    if (answer instanceof BoardView view) {
      return view;
    }
    throw new EleyException(ErrorCode.MALFORMED, "the board answered with " + answer.type());
  }

  /** What is said where no board is published. */
  static String none(BoardFiles files) {
    return "no board is published in " + files.directory();
  }

  /**
   * The connection, a new one if there is none or it has ended.
   *
   * @throws NoSuchFileException when no board is published
   */
  Connection connection() throws IOException {
    if (connection.filter(Connection::isOpen).isEmpty()) {
      var address = address();
      var options = new ConnectionOptions("eley-board-reader", DEADLINE, Identity.BOARD);
      connection =
          Optional.of(
              Connection.open(address, token.credentials(protection), options, PushHandler.IGNORE));
    }
    return connection.orElseThrow();
  }

  private InetSocketAddress address() throws IOException {
    String text = OwnPaths.readOfSite(files.address(), MOST_OF_AN_ADDRESS).strip();
    int colon = text.lastIndexOf(':');
    try {
      return new InetSocketAddress(
          text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new IOException(files.address() + " holds no address (host:port)", e);
    }
  }

  /** Ends the connection; the token stays for the next. */
  void disconnect() {
    connection.ifPresent(Connection::close);
    connection = Optional.empty();
  }

  /** Ends the connection and removes the token. */
  @Override
  public void close() {
    disconnect();
    try {
      token.close();
    } catch (IOException e) {
      LOG.debug("the token stays", e);
    }
  }
}
