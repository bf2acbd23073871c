package io.eley.coordinator.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.BoardMessage.AskBoard;
import io.eley.bb.api.wire.BoardMessage.BoardView;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.PingMessage;
import io.eley.coordinator.neighbours.FileSystemName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has proved a token and would have the board for himself. */
@Timeout(240)
class BoardCrowdTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path temporary;
  private final List<Connection> connections = new ArrayList<>();
  private BoardServer board;
  private Token crowd;
  private Token other;
  private AskBoard question;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(temporary.resolve("bytes"), "0\n");
    Path origin = Files.createDirectory(temporary.resolve("origin"));
    Path directory = temporary.resolve("board");
    var settings =
        Settings.of(
            Map.of(
                "eley.signal.counters",
                "file:" + temporary.resolve("bytes"),
                // On a busy machine a greeting waits.
                "eley.network.handshake-deadline",
                "60s"),
            line -> {});
    board =
        BoardServer.start(
            BoardOptions.from(
                new BoardOptions.Publication(directory, origin, false),
                new BoardOptions.Listen("127.0.0.1", 0),
                settings));
    crowd = new Token(new BoardFiles(directory));
    other = new Token(new BoardFiles(directory));
    question = new AskBoard(0, 0, FileSystemName.of(origin.toString()));
  }

  @AfterEach
  void stop() throws Exception {
    connections.forEach(Connection::close);
    crowd.close();
    other.close();
    board.close();
  }

  private Connection connect(Token token) throws Exception {
    var connection =
        Connection.open(
            board.address(),
            token.credentials(NetworkProtection.AUTO),
            new ConnectionOptions("crowd", LONG, Identity.BOARD),
            PushHandler.IGNORE);
    connections.add(connection);
    return connection;
  }

  private long open() {
    return connections.stream().filter(Connection::isOpen).count();
  }

  @Test
  void oneKeysConnectionsAreFewAndOthersAreAnswered() throws Exception {
    Connection patient = connect(other);
    for (int i = 0; i < 500; i++) {
      var unused = connect(crowd).request(question);
    }
    assertThat(patient.call(question, LONG)).isInstanceOf(BoardView.class);
    await().atMost(LONG).until(() -> open() <= 1 + BoardSessions.MOST_OF_A_KEY);
    assertThat(patient.isOpen()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(classes = {AskBoard.class, PingMessage.class, GetView.class})
  void whoSpeaksWithoutPauseIsHungUpOn(Class<? extends Message> type) throws Exception {
    Message message =
        type == AskBoard.class
            ? question
            : type == PingMessage.class ? new PingMessage() : new GetView();
    Connection patient = connect(other);
    Connection hasty = connect(crowd);
    // In bursts: however seldom a busy machine comes to it, most are within 20 ms of the last one.
    await()
        .atMost(LONG)
        .until(
            () -> {
              for (int i = 0; i <= 2 * BoardSessions.MOST_REFUSALS && hasty.isOpen(); i++) {
                var unused = hasty.request(message);
              }
              return !hasty.isOpen();
            });
    assertThatThrownBy(() -> hasty.call(question, LONG)).isInstanceOf(EleyException.class);
    assertThat(patient.call(question, LONG)).isInstanceOf(BoardView.class);
    assertThat(connect(crowd).call(question, LONG)).as("he may come again").isNotNull();
  }
}
