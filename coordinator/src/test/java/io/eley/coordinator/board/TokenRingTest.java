package io.eley.coordinator.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Secret;
import io.eley.coordinator.LogOf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken for a token, and what is not. Other users' are in the system test. */
class TokenRingTest {
  private static final String RANDOM = "0123456789abcdef0123456789abcdef";
  private static final String HEX = "ab".repeat(32);

  @TempDir Path temporary;
  private BoardFiles files;
  private BoardDirectory directory;
  private TokenRing ring;
  private String key;

  @BeforeEach
  void claim() throws Exception {
    files = new BoardFiles(temporary.resolve("board"));
    directory = BoardDirectory.claim(files);
    ring = new TokenRing(files);
    key = BoardFiles.key(OwnPaths.user(), RANDOM);
  }

  @AfterEach
  void close() throws Exception {
    ring.close();
    directory.close();
  }

  private void write(Path file, String text, String mode) throws Exception {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private void refused(String name) {
    assertThatThrownBy(() -> ring.find(name).get(30, TimeUnit.SECONDS))
        .as(name)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EleyException.class);
  }

  @Test
  void theDirectoryIsADropBoxInADirectoryThatIsClosed() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.directory())))
        .isEqualTo("rwxr-xr-x");
    assertThat((Integer) Files.getAttribute(files.tokens(), "unix:mode") & 07777).isEqualTo(01733);
    directory.publish("127.0.0.1:7");
    assertThat(OwnPaths.readOfSite(files.address(), 100)).isEqualTo("127.0.0.1:7\n");
    assertThatThrownBy(() -> BoardDirectory.claim(files)).hasMessageContaining("another board");
    directory.close();
    assertThat(files.address()).doesNotExist();
  }

  @Test
  void aTokenIsFoundByItsNameAndBelongsToItsOwner() throws Exception {
    try (var token = new Token(files)) {
      var credentials = token.credentials(NetworkProtection.AUTO);
      assertThat(ring.find(credentials.key()).get(30, TimeUnit.SECONDS)).isNotNull();
      assertThat(ring.asker(credentials.key()).user()).isEqualTo(System.getProperty("user.name"));
      Path file = files.token(credentials.key());
      Files.delete(file); // swept, or whatever
      assertThat(token.credentials(NetworkProtection.AUTO).key()).isEqualTo(credentials.key());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
    assertThat(files.tokens()).as("it is taken away at the end").isEmptyDirectory();
  }

  @Test
  void whatIsNoTokenIsRefused() throws Exception {
    refused("");
    refused("../address");
    refused("root-" + RANDOM);
    refused(key + "/x");
    refused(key); // not there
    write(files.token(key), HEX, "rw-r-----");
    refused(key);
    write(files.token(key), "no secret", "rw-------");
    refused(key);
    write(files.token(key), HEX + HEX + HEX, "rw-------");
    refused(key);
    write(files.token(key), HEX, "rw-------");
    assertThat(ring.find(key).get(30, TimeUnit.SECONDS)).isNotNull();
    Path other = temporary.resolve("other");
    Files.createLink(other, files.token(key));
    refused(key);
    Files.delete(other);
    Files.move(files.token(key), other);
    Files.createSymbolicLink(files.token(key), other);
    refused(key);
    Files.delete(files.token(key));
    Files.createDirectory(files.token(key));
    refused(key);
    Files.delete(files.token(key));
    var pipe = new ProcessBuilder("mkfifo", "-m", "600", files.token(key) + "").start();
    assertThat(pipe.waitFor()).isZero();
    refused(key); // and waits for nobody who writes into it
    String strangers = BoardFiles.key(OwnPaths.user() + 1, RANDOM);
    write(files.token(strangers), HEX, "rw-------");
    refused(strangers);
  }

  /** Whoever has a token may put another user's file in its place while it is looked up. */
  @Test
  void aTokensOwnerIsWhoseSecretWasRead() throws Exception {
    assumeTrue(OwnPaths.user() == 0, "only root can give a file away");
    write(files.token(key), HEX, "rw-------");
    try (var replaced =
        new TokenRing(
            files,
            (owner, file, most) -> {
              String secret = OwnPaths.readSecretOf(owner, file, most);
              Files.setAttribute(file, "unix:uid", owner + 1);
              return secret;
            },
            System::nanoTime)) {
      assertThatThrownBy(() -> replaced.find(key).get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(EleyException.class);
      assertThat(replaced.asker(key).user()).isEqualTo("0");
    }
  }

  private List<String> warned(LogOf log) {
    return log.events().stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains(temporary + "/"))
        .toList();
  }

  @Test
  void whatIsNoTokenIsToldOnceAndOfSoManyAlone() throws Exception {
    try (var log = new LogOf(TokenRing.class)) {
      write(files.token(key), "no secret", "rw-------");
      refused(key);
      refused(key);
      assertThat(warned(log)).hasSize(1);
      for (int i = 0; i < TokenRing.MOST_TOLD + 10; i++) {
        String bad = unknown(OwnPaths.user(), i);
        write(files.token(bad), "no secret", "rw-------");
        refused(bad);
      }
      assertThat(warned(log)).hasSize(TokenRing.MOST_TOLD);
    }
  }

  /** As SSSD makes them of a domain's, and as large as the kernel takes them. */
  @ParameterizedTest
  @ValueSource(longs = {0, 65_534, 999_999_999, 1_456_801_105, 2_000_200_000, 4_294_967_294L})
  void aUsersNumberMayHaveTenDigits(long number) throws Exception {
    int user = (int) number;
    String named = BoardFiles.key(user, RANDOM);
    assertThat(named).isEqualTo(number + "-" + RANDOM);
    assertThat(BoardFiles.userOf(named)).isEqualTo(user);

    assumeTrue(OwnPaths.user() == 0, "only root can give a file away");
    write(files.token(named), HEX, "rw-------");
    Files.setAttribute(files.token(named), "unix:uid", user);
    assertThat(ring.find(named).get(30, TimeUnit.SECONDS)).isNotNull();
    refused(BoardFiles.key(user + 1, RANDOM));
  }

  @Test
  void aNumberThatNoUserHasIsRefused() {
    assertThatThrownBy(() -> BoardFiles.userOf("4294967296-" + RANDOM))
        .hasMessage("no key has this name");
    refused("9999999999-" + RANDOM);
    refused("-5-" + RANDOM);
  }

  /** A look-up that waits for {@code go} before it says that there is no such token. */
  private TokenRing ring(CountDownLatch go, AtomicInteger looks, AtomicLong clock) {
    return new TokenRing(
        files,
        (owner, file, most) -> {
          looks.incrementAndGet();
          try {
            assertThat(go.await(30, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new InterruptedIOException();
          }
          return OwnPaths.readSecretOf(owner, file, most);
        },
        clock::get);
  }

  private static String unknown(int user, int number) {
    return BoardFiles.key(user, String.format(Locale.ROOT, "%032x", number));
  }

  @Test
  void whoAsksForAUsersTokensThatAreNotThereKeepsHimFromNothing() throws Exception {
    write(files.token(key), HEX, "rw-------");
    var go = new CountDownLatch(1);
    var looks = new AtomicInteger();
    try (var busy = ring(go, looks, new AtomicLong())) {
      var strangers = new ArrayList<CompletableFuture<Secret>>();
      for (int i = 0; i < 200; i++) {
        strangers.add(busy.find(unknown(OwnPaths.user(), i)));
      }
      var valid = busy.find(key);
      assertThat(valid.isDone()).as("refused while others are under way").isFalse();
      assertThat(busy.find(key)).as("asked for twice, looked up once").isSameAs(valid);
      go.countDown();
      assertThat(valid.get(30, TimeUnit.SECONDS)).isNotNull();
      for (var stranger : strangers) {
        assertThatThrownBy(() -> stranger.get(30, TimeUnit.SECONDS))
            .hasMessageContaining("no such token");
      }
      assertThat(looks).hasValue(201);
      assertThat(busy.find(key).get(30, TimeUnit.SECONDS)).isNotNull();
      assertThat(looks).as("what is over is looked up anew").hasValue(202);
    }
  }

  @Test
  void whoseLookUpsHangKeepsHimselfOut() throws Exception {
    int user = OwnPaths.user();
    var go = new CountDownLatch(1);
    var clock = new AtomicLong();
    try (var slow = ring(go, new AtomicInteger(), clock)) {
      for (int i = 0; i < TokenRing.MOST_HANGING; i++) {
        var unused = slow.find(unknown(user, i));
      }
      clock.set(TokenRing.HANGS.toNanos() + 1);
      assertThatThrownBy(() -> slow.find(key).get(30, TimeUnit.SECONDS))
          .hasMessageContaining("cannot be read now");
      var others = slow.find(unknown(user + 1, 0));
      assertThat(others.isDone()).as("another user's is looked up").isFalse();
      clock.addAndGet(TokenRing.HANGS.toNanos() + 1);
      assertThatThrownBy(() -> slow.find(unknown(user + 1, 0)).get(30, TimeUnit.SECONDS))
          .as("nobody is queued behind one that hangs")
          .hasMessageContaining("cannot be read now");
      go.countDown();
      write(files.token(key), HEX, "rw-------");
      await()
          .ignoreExceptions() // those that hung end one after the other
          .untilAsserted(() -> assertThat(slow.find(key).get(10, TimeUnit.SECONDS)).isNotNull());
    }
  }

  @Test
  void oldTokensAreSweptAway() throws Exception {
    var directories = new ArrayList<Path>();
    for (int i = 0; i < 20; i++) {
      Path inTheWay = Files.createDirectory(files.tokens().resolve("directory" + i));
      Files.createFile(inTheWay.resolve("file"));
      directories.add(inTheWay);
    }
    var all = new ArrayList<Path>(directories);
    for (int i = 0; i < 200; i++) {
      all.add(Files.createFile(files.tokens().resolve("anything" + i)));
    }
    for (Path each : all) {
      Files.setLastModifiedTime(each, FileTime.from(Instant.now().minusSeconds(100_000)));
    }
    write(files.token(key), HEX, "rw-------");
    ring.sweep();
    var left = new ArrayList<Path>(directories);
    left.add(files.token(key));
    await().untilAsserted(() -> assertThat(entries()).containsExactlyInAnyOrderElementsOf(left));
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> entries = Files.list(files.tokens())) {
      return entries.toList();
    }
  }
}
