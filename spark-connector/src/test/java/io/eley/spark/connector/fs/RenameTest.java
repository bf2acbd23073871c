package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renames beside those of others. */
class RenameTest {
  private static final int ROUNDS = 300;
  private static final Path TARGET = new Path("/t");

  @TempDir private java.nio.file.Path origin;
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private final Configuration conf = new Configuration();
  private CountedOrigin.Calls calls;
  private BbFileSystem fs;

  @BeforeEach
  void open() throws Exception {
    calls = CountedOrigin.calls(origin);
    conf.set("eley.client.origin", "counted://" + origin);
    conf.set("fs.AbstractFileSystem.bb.impl", BbFs.class.getName());
    fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), conf);
  }

  @AfterEach
  void close() throws Exception {
    other.shutdownNow();
    fs.close();
  }

  /** As HDFS says it, whether the name was taken before we looked or since. */
  @Test
  void whoseNameIsTakenInThatMomentHasNotRenamed() throws Exception {
    race(from -> fs.rename(new Path(from), TARGET), from -> fs.rename(new Path(from), TARGET));
  }

  /**
   * Delta and Spark's checkpoints go on with the next name when they are told so, and else fail.
   */
  @Test
  void whoseNameIsTakenInThatMomentIsToldSoThroughFileContext() throws Exception {
    race(
        renamingIn(FileContext.getFileContext(URI.create("bb:///"), conf)),
        renamingIn(FileContext.getFileContext(URI.create("bb:///"), conf)));
    Files.writeString(origin.resolve("a"), "a");
    calls.before.put("rename", path -> Files.writeString(origin.resolve("t"), "b"));
    assertThat(renamingIn(FileContext.getFileContext(URI.create("bb:///"), conf)).of("/a"))
        .isFalse();
  }

  /** Over S3 a rename is a copy and a deletion: who took the next name would write twice. */
  @ParameterizedTest
  @EnumSource(names = {"ACCESS_DENIED", "ORIGIN_FAILED"})
  void ofARenameThatFailsBehindItsCopyNobodyIsToldThatTheNameWasTaken(ErrorCode code)
      throws Exception {
    calls.before.put(
        "rename",
        path -> {
          Files.copy(origin.resolve("a"), origin.resolve("t"));
          throw new EleyException(code, "the copy is there, and so is what it is of");
        });
    Files.writeString(origin.resolve("a"), "a");
    assertThatThrownBy(() -> fs.rename(new Path("/a"), TARGET)).isInstanceOf(IOException.class);
    Files.delete(origin.resolve("t"));
    assertThatThrownBy(
            () ->
                FileContext.getFileContext(URI.create("bb:///"), conf)
                    .rename(new Path("/a"), TARGET))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void whoseNameIsTakenInThatMomentCreatesNothingAndIsToldSo() {
    calls.before.put("create", path -> Files.writeString(origin.resolve("t"), "b"));
    assertThatThrownBy(() -> fs.create(TARGET, false))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(origin.resolve("t")).hasContent("b");
  }

  /** As it looks to who is told what was cached before others have deleted it. */
  @Test
  void whatHasGoneSinceItWasLookedUpIsInNobodysWay() throws Exception {
    Files.writeString(origin.resolve("a"), "a");
    Files.writeString(origin.resolve("t"), "t");
    calls.after.put(
        "stat",
        path -> {
          if (path.equals("/t")) {
            Files.deleteIfExists(origin.resolve("t"));
          }
        });
    assertThat(fs.rename(new Path("/a"), TARGET)).isTrue();
    assertThat(origin.resolve("t")).hasContent("a");
    Files.writeString(origin.resolve("b"), "b"); // and the other one goes when it is looked up
    assertThat(renamingIn(FileContext.getFileContext(URI.create("bb:///"), conf)).of("/b"))
        .isTrue();
    assertThat(origin.resolve("t")).hasContent("b");
    fs.create(TARGET, false).close();
    assertThat(origin.resolve("t")).isEmptyFile();
  }

  /** A rename of a file to the name that both want. */
  private interface Renaming {
    /** Whether it was renamed; throws when that is not what it was told. */
    boolean of(String from) throws Exception;
  }

  private static Renaming renamingIn(FileContext context) {
    return from -> {
      try {
        context.rename(new Path(from), TARGET);
        return true;
      } catch (FileAlreadyExistsException e) {
        return false;
      }
    };
  }

  private void race(Renaming one, Renaming two) throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Files.writeString(origin.resolve("a"), "a");
      Files.writeString(origin.resolve("b"), "b");
      var both = new CyclicBarrier(2);
      Future<Boolean> second = other.submit(together(both, two, "/b"));
      boolean first = together(both, one, "/a").call();
      assertThat(second.get()).isNotEqualTo(first);
      assertThat(origin.resolve("t")).hasContent(first ? "a" : "b");
      assertThat(origin.resolve(first ? "b" : "a")).exists();
      Files.delete(origin.resolve("t"));
    }
  }

  private static Callable<Boolean> together(CyclicBarrier both, Renaming renaming, String from) {
    return () -> {
      both.await();
      return renaming.of(from);
    };
  }
}
