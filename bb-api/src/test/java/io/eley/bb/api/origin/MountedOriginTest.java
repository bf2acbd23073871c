package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountedOriginTest {
  private static final int ROUNDS = 1_000;

  @TempDir private Path temp;
  private Path root;
  private MountedOrigin origin;

  @BeforeEach
  void open() throws Exception {
    root = Files.createDirectory(temp.resolve("root"));
    origin = MountedOrigin.open(root);
  }

  @Test
  void showsFilesInTheOrderOfTheirNames() throws Exception {
    Files.writeString(root.resolve("b"), "12345");
    Files.createDirectory(root.resolve("a"));
    assertThat(origin.list("/")).extracting(OriginStatus::path).containsExactly("/a", "/b");
    assertThat(origin.stat("/b").length()).isEqualTo(5);
    assertThat(origin.stat("/a").directory()).isTrue();
  }

  @Test
  void readsAtPositionsAndEndsWhereTheFileDoes() throws Exception {
    Files.writeString(root.resolve("f"), "0123456789");
    try (var file = origin.open("/f")) {
      var target = ByteBuffer.allocate(4);
      assertThat(file.read(8, target, ReadCause.DEMAND)).isEqualTo(2);
      assertThat(file.read(10, target, ReadCause.DEMAND)).isEqualTo(-1);
      assertThat(target.array()).startsWith('8', '9');
    }
  }

  /** Opening one waits for who writes to it: whoever may make one could take a thread a name. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPipeInAFilesPlaceIsRefusedInPlaceOfWaitedFor() throws Exception {
    Files.writeString(root.resolve("empty"), "");
    assertThat(new ProcessBuilder("mkfifo", root.resolve("pipe") + "").start().waitFor()).isZero();
    assertThatThrownBy(() -> origin.open("/pipe"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTSIDE_ORIGIN))
        .hasMessageContaining("/pipe is no regular file");
    try (var file = origin.open("/empty")) {
      assertThat(file.read(0, ByteBuffer.allocate(1), ReadCause.DEMAND)).isEqualTo(-1);
    }
    assertThat(origin.list("/")).extracting(OriginStatus::path).containsExactly("/empty", "/pipe");
  }

  @Test
  void aFileThatIsReplacedWhileItIsOpenedHasTheBytesOfTheVersionThatItSaysItIs() throws Exception {
    Path file = temp.resolve("replaced");
    Path next = temp.resolve("next");
    Files.write(file, new byte[100]);
    var over = new AtomicBoolean();
    var replacing =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; !over.get(); i++) {
                replace(file, next, i % 2);
              }
            });
    int wrong = 0;
    for (int i = 0; i < 5_000; i++) {
      try (var opened = MountedOrigin.open(temp).open("/replaced")) {
        var first = ByteBuffer.allocate(1);
        opened.read(0, first, ReadCause.DEMAND);
        wrong += opened.status().length() == 100 + first.get(0) ? 0 : 1;
      }
    }
    over.set(true);
    replacing.get();
    assertThat(wrong).as("files with another version's bytes").isZero();
  }

  /** A content of one kind of byte, and of a length that tells which. */
  private static void replace(Path file, Path next, int kind) {
    try {
      var bytes = new byte[100 + kind];
      Arrays.fill(bytes, (byte) kind);
      Files.move(Files.write(next, bytes), file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aLinkOutOfTheRootIsNeitherShownNorFollowed() throws Exception {
    Path outside = Files.writeString(temp.resolve("outside"), "secret");
    Files.createSymbolicLink(root.resolve("link"), outside);
    Files.createSymbolicLink(root.resolve("up"), temp);
    assertThat(origin.list("/")).isEmpty();
    assertThatThrownBy(() -> origin.open("/link"))
        .satisfies(e -> code(e, ErrorCode.OUTSIDE_ORIGIN));
    assertThatThrownBy(() -> origin.create("/up/new", true))
        .satisfies(e -> code(e, ErrorCode.OUTSIDE_ORIGIN));
    origin.delete("/link", false);
    assertThat(outside).exists();
  }

  @Test
  void writesRenamesAndDeletes() throws Exception {
    try (var out = origin.create("/d/new", false)) {
      out.write(1);
    }
    assertThatThrownBy(() -> origin.create("/d/new", false))
        .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED));
    origin.rename("/d/new", "/d/old");
    assertThat(root.resolve("d/old")).exists();
    assertThatThrownBy(() -> origin.delete("/d", false))
        .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED));
    origin.delete("/d", true);
    assertThat(root.resolve("d")).doesNotExist();
  }

  /** As writers of a table's log do, each of whom believes that the next version is his. */
  @Test
  void ofTwoWhoRenameOntoOneNameOneIsRefusedAndKeepsHisFile() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Files.writeString(root.resolve("a"), "a");
      Files.writeString(root.resolve("b"), "b");
      List<Optional<ErrorCode>> both = renameAtOnce("/a", "/t", "/b", "/t");
      assertThat(both)
          .containsExactlyInAnyOrder(Optional.empty(), Optional.of(ErrorCode.ORIGIN_FAILED));
      String loser = both.get(0).isEmpty() ? "b" : "a";
      String winner = both.get(0).isEmpty() ? "a" : "b";
      assertThat(root.resolve("t")).hasContent(winner);
      assertThat(root.resolve(winner)).doesNotExist();
      assertThat(root.resolve(loser)).hasContent(loser);
      Files.delete(root.resolve("t"));
    }
  }

  @Test
  void ofTwoWhoRenameOneFileOneHasIt() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Files.writeString(root.resolve("a"), "a");
      assertThat(renameAtOnce("/a", "/t", "/a", "/u"))
          .containsExactlyInAnyOrder(Optional.empty(), Optional.of(ErrorCode.NOT_FOUND));
      assertThat(root.toFile().list()).hasSize(1).doesNotContain("a");
      assertThat(Files.deleteIfExists(root.resolve("t")) || Files.deleteIfExists(root.resolve("u")))
          .isTrue();
    }
  }

  /** What the first and the second rename fail with. */
  private List<Optional<ErrorCode>> renameAtOnce(String from, String to, String from2, String to2)
      throws Exception {
    var both = new CyclicBarrier(2);
    var second = CompletableFuture.supplyAsync(() -> renamed(both, from2, to2));
    return List.of(renamed(both, from, to), second.get());
  }

  private Optional<ErrorCode> renamed(CyclicBarrier both, String from, String to) {
    try {
      both.await();
      origin.rename(from, to);
      return Optional.empty();
    } catch (EleyException e) {
      return Optional.of(e.code());
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFileReplacesAnotherOneOrNothingAndNoDirectory() throws Exception {
    Files.createDirectory(root.resolve("d"));
    Files.writeString(root.resolve("f"), "old");
    Files.writeString(root.resolve("g"), "new");
    assertThatThrownBy(() -> origin.replace("/g", "/d"))
        .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED));
    assertThatThrownBy(() -> origin.replace("/none", "/f"))
        .satisfies(e -> code(e, ErrorCode.NOT_FOUND));
    assertThat(root.resolve("f")).hasContent("old");
    origin.replace("/g", "/f");
    origin.replace("/f", "/d/f");
    assertThat(root.resolve("d/f")).hasContent("new");
    assertThat(root.toFile().list()).containsExactly("d");
  }

  @Test
  void aDirectoryAndALinkAreRenamedAndReplaceNothing() throws Exception {
    Files.writeString(Files.createDirectory(root.resolve("d")).resolve("f"), "1");
    Files.createSymbolicLink(root.resolve("link"), Path.of("d/f"));
    Files.writeString(root.resolve("there"), "stays");
    for (String from : List.of("/d", "/link", "/d/f")) {
      assertThatThrownBy(() -> origin.rename(from, "/there"))
          .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED))
          .hasCauseInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(root.resolve("there")).hasContent("stays");
    origin.rename("/link", "/renamed");
    assertThat(Files.readSymbolicLink(root.resolve("renamed"))).isEqualTo(Path.of("d/f"));
    assertThat(root.resolve("link")).doesNotExist();
    origin.rename("/d", "/e");
    assertThat(root.resolve("e/f")).hasContent("1");
  }

  @Test
  void anInterruptedThreadWritesNothingAndTheStreamGoesOnAfterwards() throws Exception {
    try (var out = origin.create("/f", false)) {
      var durable = (DurableOutput) out;
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> out.write(1)).satisfies(e -> code(e, ErrorCode.INTERRUPTED));
      assertThatThrownBy(durable::force).satisfies(e -> code(e, ErrorCode.INTERRUPTED));
      assertThat(Thread.interrupted()).isTrue();
      out.write(2);
      durable.force();
    }
    try (var out = origin.append("/f")) {
      out.write(new byte[] {0, 3, 4}, 1, 2);
    }
    assertThat(root.resolve("f")).hasBinaryContent(new byte[] {2, 3, 4});
  }

  @Test
  void whatIsNotThereIsSaidInOneLine() {
    assertThatThrownBy(() -> origin.stat("/none")).satisfies(e -> code(e, ErrorCode.NOT_FOUND));
    assertThatThrownBy(() -> Origins.open(temp + "/none", "test"))
        .satisfies(e -> code(e, ErrorCode.NOT_FOUND))
        .hasMessageContaining("is it mounted?");
    assertThatThrownBy(() -> Origins.open("s3x://bucket", "test"))
        .satisfies(e -> code(e, ErrorCode.NOT_FOUND))
        .hasMessageContaining("no origin adapter");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        " lead",
        "trail ",
        "ü€漢",
        "..a",
        "a..",
        "...",
        ".hidden",
        "#1",
        "50%41",
        "a:b",
        "a\\b",
        "new\nline",
        "tab\t",
        "'\"",
        "*",
        "?",
        "[x]",
        "{y}",
        "-rf",
        "~"
      })
  void oddNamesAreNamesLikeOthers(String name) throws Exception {
    assumeTrue(
        Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"))
            .newEncoder()
            .canEncode(name),
        "the locale of this process has no such names");
    String path = "/d/" + name;
    try (var out = origin.create(path, false)) {
      out.write(new byte[] {1, 2, 3});
    }
    assertThat(root.resolve("d").toFile().list()).containsExactly(name);
    assertThat(origin.list("/d")).extracting(OriginStatus::path).containsExactly(path);
    assertThat(origin.stat(path).length()).isEqualTo(3);
    try (var file = origin.open(path)) {
      assertThat(file.read(1, ByteBuffer.allocate(9), ReadCause.DEMAND)).isEqualTo(2);
    }
    origin.rename(path, "/d/plain");
    origin.rename("/d/plain", path);
    origin.delete(path, false);
    assertThat(origin.list("/d")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "", "/a/", "/../x", "/a/../../x", "/./a", "//a", "/a\0"})
  void pathsThatAreNotNormalisedAreRefusedByEveryCall(String path) {
    for (ThrowingCallable call : calls(path)) {
      assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(temp.resolve("x")).doesNotExist();
  }

  @Test
  void aNameThatNoLocaleCanWriteIsAnErrorOfTheOrigin() {
    for (ThrowingCallable call : calls("/half\ud800")) {
      assertThatThrownBy(call)
          .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED))
          .hasMessageContaining("locale");
    }
  }

  @Test
  void noCallLeavesTheRootThroughALink() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Path secret = Files.writeString(outside.resolve("f"), "secret");
    Object before = Files.readAttributes(secret, "unix:mode,ctime");
    Files.createSymbolicLink(root.resolve("out"), outside);
    Files.createSymbolicLink(root.resolve("relative"), Path.of("../outside"));
    for (String link : List.of("/out", "/relative")) {
      for (String path : List.of(link + "/f", link + "/new/below")) {
        for (ThrowingCallable call : calls(path)) {
          assertThatThrownBy(call)
              .as(path)
              .satisfies(e -> code(e, ErrorCode.OUTSIDE_ORIGIN))
              .hasMessageContaining("leads out of the origin");
        }
      }
    }
    assertThat(secret).hasContent("secret");
    assertThat(Files.readAttributes(secret, "unix:mode,ctime")).isEqualTo(before);
    assertThat(outside.toFile().list()).containsExactly("f");
  }

  @Test
  void permissionsAreSetAndTheBitsThatNobodyIsShownStay() throws Exception {
    Path shared = Files.createDirectory(root.resolve("shared"));
    Files.setAttribute(shared, "unix:mode", 03770);
    origin.setPermissions("/shared", 0705);
    assertThat((Integer) Files.getAttribute(shared, "unix:mode") & 07777).isEqualTo(03705);
    assertThat(origin.stat("/shared").permissions()).isEqualTo(0705);
  }

  @Test
  void timesAreSetUnlessTheyAreNegativeAndTheVersionIsAnotherOne() throws Exception {
    Path file = Files.writeString(root.resolve("f"), "1");
    FileVersion before = origin.stat("/f").version();
    origin.setTimes("/f", before.modifiedMillis(), 1_000_000);
    assertThat(Files.getAttribute(file, "lastAccessTime")).isEqualTo(FileTime.fromMillis(1000_000));
    assertThat(origin.stat("/f").modifiedMillis()).isEqualTo(before.modifiedMillis());
    assertThat(origin.stat("/f").version()).isNotEqualTo(before);
    origin.setTimes("/f", 2_000_000, -1);
    assertThat(origin.stat("/f").modifiedMillis()).isEqualTo(2_000_000);
    assertThat(Files.getAttribute(file, "lastAccessTime")).isEqualTo(FileTime.fromMillis(1000_000));
  }

  @Test
  void spaceIsThatOfTheFileSystem() throws Exception {
    // Others write and delete there, also between the questions for what is used and is free.
    await()
        .untilAsserted(
            () -> {
              OriginSpace space = origin.space("/");
              assertThat(space.capacity()).isEqualTo(root.toFile().getTotalSpace()).isPositive();
              assertThat(space.used()).isBetween(1L, space.capacity());
              assertThat(space.free()).isBetween(0L, space.capacity() - space.used());
            });
  }

  private List<ThrowingCallable> calls(String path) {
    return List.of(
        () -> origin.stat(path),
        () -> origin.list(path),
        () -> origin.open(path),
        () -> origin.create(path, true),
        () -> origin.append(path),
        () -> origin.makeDirectories(path),
        () -> origin.rename(path, "/target"),
        () -> origin.rename("/source", path),
        () -> origin.replace(path, "/target"),
        () -> origin.replace("/source", path),
        () -> origin.delete(path, true),
        () -> origin.setPermissions(path, 0777),
        () -> origin.setTimes(path, 1, 1),
        () -> origin.space(path));
  }

  @Test
  void aLinkThatStaysInsideIsWhatItPointsTo() throws Exception {
    Files.createDirectory(root.resolve("d"));
    Files.writeString(root.resolve("d/f"), "12345");
    Files.createSymbolicLink(root.resolve("to-file"), Path.of("d/f"));
    Files.createSymbolicLink(root.resolve("to-dir"), root.resolve("d"));
    assertThat(origin.list("/"))
        .extracting(OriginStatus::path)
        .containsExactly("/d", "/to-dir", "/to-file");
    assertThat(origin.stat("/to-file").length()).isEqualTo(5);
    assertThat(origin.stat("/to-dir").directory()).isTrue();
    assertThat(origin.list("/to-dir")).extracting(OriginStatus::path).containsExactly("/to-dir/f");
  }

  @Test
  void aLinkThatLeadsNowhereIsNotShownAndDoesNotHideTheOthers() throws Exception {
    Files.writeString(root.resolve("f"), "1");
    Files.createSymbolicLink(root.resolve("dangling"), root.resolve("gone"));
    assertThat(origin.list("/")).extracting(OriginStatus::path).containsExactly("/f");
    assertThatThrownBy(() -> origin.stat("/dangling")).satisfies(e -> code(e, ErrorCode.NOT_FOUND));
  }

  @Test
  void nothingIsMadeWhereALinkLeadsThatLeadsNowhere() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.createSymbolicLink(root.resolve("link"), outside.resolve("new"));
    Files.createSymbolicLink(root.resolve("chain"), Path.of("link"));
    Files.writeString(root.resolve("source"), "1");
    for (String link : List.of("/link", "/chain")) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> origin.create(link, true),
              () -> origin.create(link + "/below", true),
              () -> origin.append(link),
              () -> origin.makeDirectories(link),
              () -> origin.makeDirectories(link + "/below"),
              () -> origin.rename("/source", link))) {
        assertThatThrownBy(call)
            .satisfies(e -> code(e, ErrorCode.NOT_FOUND))
            .hasMessageContaining("leads nowhere");
      }
    }
    assertThat(outside).isEmptyDirectory();
    assertThat(root.resolve("source")).hasContent("1");
    origin.delete("/link", false);
    assertThat(Files.isSymbolicLink(root.resolve("link"))).isFalse();
  }

  @Test
  void throughALinkThatStaysInsideOneWritesMakesAndRenames() throws Exception {
    Files.createDirectory(root.resolve("d"));
    Files.writeString(root.resolve("d/f"), "long text");
    Files.createSymbolicLink(root.resolve("to-file"), Path.of("d/f"));
    Files.createSymbolicLink(root.resolve("to-dir"), root.resolve("d"));
    write("/to-file", "short", true);
    assertThat(root.resolve("d/f")).hasContent("short");
    write("/to-dir/new", "1", false);
    origin.makeDirectories("/to-dir/e/below");
    origin.rename("/to-dir/new", "/to-dir/e/below/old");
    assertThat(root.resolve("d/e/below/old")).hasContent("1");
  }

  @Test
  void deletingADirectoryDeletesLinksAndNotWhatTheyPointTo() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("f"), "keep");
    Files.createDirectories(root.resolve("d/e"));
    Files.createSymbolicLink(root.resolve("d/e/link"), outside);
    origin.delete("/d", true);
    assertThat(root.resolve("d")).doesNotExist();
    assertThat(outside.resolve("f")).hasContent("keep");
  }

  @Test
  void theRootIsNotDeletedAndWhatIsNotThereIsNotFound() {
    assertThatThrownBy(() -> origin.delete("/", true))
        .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED))
        .hasMessageContaining("root");
    assertThat(root).exists();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> origin.delete("/none", false),
            () -> origin.delete("/none", true),
            () -> origin.open("/none"),
            () -> origin.list("/none"),
            () -> origin.append("/none"),
            () -> origin.rename("/none", "/other"),
            () -> origin.setPermissions("/none", 0600),
            () -> origin.setTimes("/none", 1, 1),
            () -> origin.space("/none"))) {
      assertThatThrownBy(call).satisfies(e -> code(e, ErrorCode.NOT_FOUND));
    }
  }

  @Test
  void belowAFileThereIsNothing() throws Exception {
    Files.writeString(root.resolve("f"), "1");
    assertThatThrownBy(() -> origin.stat("/f/below")).satisfies(e -> code(e, ErrorCode.NOT_FOUND));
    assertThatThrownBy(() -> origin.stat("/f/a/b")).satisfies(e -> code(e, ErrorCode.NOT_FOUND));
    assertThatThrownBy(() -> origin.list("/f")).satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED));
    assertThatThrownBy(() -> origin.makeDirectories("/f/d"))
        .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED));
  }

  @Test
  void aDirectoryIsNotOpenedAndHasNoLength() throws Exception {
    origin.makeDirectories("/d/e");
    origin.makeDirectories("/d/e");
    assertThat(origin.stat("/d").length()).isZero();
    assertThatThrownBy(() -> origin.open("/d"))
        .satisfies(e -> code(e, ErrorCode.NOT_FOUND))
        .hasMessageContaining("/d is a directory");
  }

  @Test
  void attributesAreThoseOfTheFile() throws Exception {
    Path file = Files.writeString(root.resolve("f"), "12345");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_123L));
    for (String mode : List.of("rwxr-x--x", "r--------", "rw-rw-rw-", "rwxrwxrwx")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      int bits = Integer.parseInt(mode.replaceAll("[rwx]", "1").replace('-', '0'), 2);
      assertThat(origin.stat("/f").permissions()).as(mode).isEqualTo(bits);
    }
    OriginStatus status = origin.stat("/f");
    assertThat(status.modifiedMillis()).isEqualTo(1_700_000_000_123L);
    var stamp =
        new FileVersion.Stamp(
            (Long) Files.getAttribute(file, "unix:ino"),
            ((FileTime) Files.getAttribute(file, "unix:ctime"))
                .to(java.util.concurrent.TimeUnit.NANOSECONDS));
    assertThat(status.version()).isEqualTo(new FileVersion("/f", 5, 1_700_000_000_123L, stamp));
    assertThat(status.owner()).isEqualTo(Files.getOwner(file).getName());
    assertThat(status.directory()).isFalse();
  }

  @Test
  void anOpenFileTellsWhatItWasAndWhatItIsNow() throws Exception {
    Path path = Files.writeString(root.resolve("f"), "12345");
    try (var file = origin.open("/f")) {
      Files.writeString(path, "1234567");
      assertThat(file.status().length()).isEqualTo(5);
      assertThat(file.currentStatus().length()).isEqualTo(7);
      Files.delete(path);
      assertThatThrownBy(file::currentStatus).satisfies(e -> code(e, ErrorCode.NOT_FOUND));
    }
  }

  @Test
  void aFileThatIsClosedIsReadNoMore() throws Exception {
    Files.writeString(root.resolve("f"), "12345");
    var file = origin.open("/f");
    file.close();
    assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1), ReadCause.DEMAND))
        .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED))
        .hasMessageContaining("cannot read /f");
  }

  @Test
  void appendingAddsAndOverwritingReplaces() throws Exception {
    write("/f", "long text", true);
    try (var out = origin.append("/f")) {
      out.write('!');
    }
    assertThat(root.resolve("f")).hasContent("long text!");
    write("/f", "short", true);
    assertThat(root.resolve("f")).hasContent("short");
    assertThatThrownBy(() -> origin.create("/f", false))
        .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED));
    assertThat(root.resolve("f")).hasContent("short");
  }

  @Test
  void renamingReplacesNothing() throws Exception {
    write("/a", "a", false);
    write("/b", "b", false);
    origin.makeDirectories("/empty");
    for (String target : List.of("/b", "/empty", "/a")) {
      assertThatThrownBy(() -> origin.rename("/a", target))
          .satisfies(e -> code(e, ErrorCode.ORIGIN_FAILED))
          .hasMessageContaining("target exists");
    }
    assertThat(root.resolve("b")).hasContent("b");
    assertThatThrownBy(() -> origin.rename("/a", "/nowhere/a"))
        .satisfies(e -> code(e, ErrorCode.NOT_FOUND));
    assertThat(root.resolve("a")).hasContent("a");
  }

  @Test
  void aListingIsInTheOrderOfNamesAndOneLevelDeep() throws Exception {
    for (String path : List.of("/d/b", "/d/a/deep", "/d/a.x", "/d/B", "/d/10", "/d/9", "/d/~")) {
      write(path, "1", false);
    }
    assertThat(origin.list("/d"))
        .extracting(OriginStatus::path)
        .containsExactly("/d/10", "/d/9", "/d/B", "/d/a", "/d/a.x", "/d/b", "/d/~");
  }

  @Test
  void anOriginIsADirectoryThatIsThere() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "1");
    assertThatThrownBy(() -> MountedOrigin.open(file))
        .satisfies(e -> code(e, ErrorCode.NOT_FOUND))
        .hasMessageContaining("is not a directory");
    Path link = Files.createSymbolicLink(temp.resolve("link"), root);
    try (var linked = MountedOrigin.open(link)) {
      assertThat(linked.address()).isEqualTo(root.toRealPath().toString());
      write("/f", "1", false);
      assertThat(linked.stat("/f").length()).isEqualTo(1);
    }
  }

  private void write(String path, String text, boolean overwrite) throws Exception {
    try (var out = origin.create(path, overwrite)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void code(Throwable e, ErrorCode expected) {
    assertThat(e)
        .isInstanceOfSatisfying(EleyException.class, x -> assertThat(x.code()).isEqualTo(expected));
  }

  /** OrangeFS's pvfs2fuse numbers files as its own mount meets them. */
  @Test
  void inodesThatOnlyOneMountKnowsAreNoPartOfAVersion() throws Exception {
    Path file = Files.writeString(temp.resolve("numbered"), "one");
    var numbered = MountedOrigin.open(temp, "ext4");
    var fuse = MountedOrigin.open(temp, "fuse.pvfs2fuse");
    assertThat(numbered.stat("/numbered").stamp().inode()).isPositive();
    OriginStatus told = fuse.stat("/numbered");
    assertThat(told.stamp().inode()).isZero();
    assertThat(told.stamp().changedNanos())
        .isEqualTo(numbered.stat("/numbered").stamp().changedNanos())
        .isPositive();
    assertThat(fuse.list("/")).extracting(s -> s.stamp().inode()).containsOnly(0L);
    try (OriginFile open = fuse.open("/numbered")) {
      assertThat(open.status()).isEqualTo(told);
      Files.delete(file);
      Files.writeString(temp.resolve("another"), "two");
      assertThat(open.currentStatus()).as("the open file is as it was").isEqualTo(told);
    }
  }
}
