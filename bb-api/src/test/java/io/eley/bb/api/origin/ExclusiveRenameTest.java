package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mostly on a file system without hard links; with them it is {@link MountedOriginTest}'s. */
class ExclusiveRenameTest {
  private static final int ROUNDS = 100;
  private static final Duration FOR_GOOD = Duration.ofHours(1);
  private static final String MARK = UUID.randomUUID().toString();
  private static final String OTHERS_MARK = UUID.randomUUID().toString();

  /**
   * Where each look at the clock is a tenth of {@link ExclusiveRename#DEAD} later: at this one a
   * lock that does not change has just become a dead one's.
   */
  private static final int LATE = 15;

  @TempDir Path directory;
  private final AtomicLong nanos = new AtomicLong();

  private static class NoLinks implements ExclusiveRename.SystemCalls {
    @Override
    public void link(Path name, Path file) throws IOException {
      throw new FileSystemException(name.toString(), null, "Operation not permitted");
    }
  }

  private static ExclusiveRename without(Duration dead) {
    return new ExclusiveRename(new NoLinks(), dead, System::nanoTime);
  }

  private Path file(String name) throws IOException {
    return Files.writeString(directory.resolve(name), name);
  }

  private List<String> names() {
    return List.of(java.util.Objects.requireNonNull(directory.toFile().list()));
  }

  @Test
  void ofTwoWhoRenameOntoOneNameBesideOneIsRefusedAndKeepsHisFile() throws Exception {
    var renaming = without(FOR_GOOD);
    for (int i = 0; i < ROUNDS; i++) {
      Path target = directory.resolve("t");
      Path a = file("a");
      Path b = file("b");
      var both = new CyclicBarrier(2);
      var second = CompletableFuture.supplyAsync(() -> renamed(renaming, both, b, target));
      boolean first = renamed(renaming, both, a, target);
      assertThat(second.get()).isNotEqualTo(first);
      assertThat(target).hasContent(first ? "a" : "b");
      assertThat(names()).containsExactlyInAnyOrder("t", first ? "b" : "a");
      Files.delete(target);
    }
  }

  private static boolean renamed(
      ExclusiveRename renaming, CyclicBarrier both, Path source, Path target) {
    try {
      both.await();
      renaming.rename(source, target);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException | InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As OrangeFS's kernel client, which believes what it has seen for 50 ms. */
  private static final class Behind extends NoLinks {
    @Override
    public boolean exists(Path name) {
      return false;
    }

    @Override
    public void move(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Test
  void aNameThatThisMachineTakesForFreeIsLookedForInTheDirectory() throws Exception {
    Path target = file("t");
    Path source = file("a");
    var renaming = new ExclusiveRename(new Behind(), FOR_GOOD, System::nanoTime);
    assertThatThrownBy(() -> renaming.rename(source, target))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(target).hasContent("t");
    renaming.rename(source, directory.resolve("t2"));
    assertThat(names()).containsExactlyInAnyOrder("t", "t2");
  }

  @Test
  void theLockOfOneWhoDiedIsTakenAway() throws Exception {
    Path target = directory.resolve("t");
    Files.createDirectories(ExclusiveRename.lockOf(target).resolve(MARK));
    LongSupplier clock = () -> nanos.addAndGet(ExclusiveRename.DEAD.toNanos() / 10);
    new ExclusiveRename(new NoLinks(), ExclusiveRename.DEAD, clock).rename(file("a"), target);
    assertThat(names()).containsExactly("t");
  }

  /** Stands still before a rename, while others may take its lock for a dead one's. */
  private void renameSlowly(Duration time) throws IOException {
    var calls =
        new NoLinks() {
          @Override
          public boolean exists(Path name) {
            nanos.addAndGet(time.toNanos());
            return super.exists(name);
          }
        };
    new ExclusiveRename(calls, ExclusiveRename.DEAD, nanos::get)
        .rename(file("a"), directory.resolve("t"));
  }

  private Path lock() {
    return ExclusiveRename.lockOf(directory.resolve("t"));
  }

  @Test
  void whoHasStoodStillRenamesNothing() throws Exception {
    renameSlowly(ExclusiveRename.DEAD.dividedBy(2));
    assertThat(names()).containsExactly("t");
    Files.delete(directory.resolve("t"));
    for (var time : List.of(ExclusiveRename.DEAD.dividedBy(2), ExclusiveRename.DEAD)) {
      assertThatThrownBy(() -> renameSlowly(time.plusNanos(1)))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("held for too long");
    }
    assertThat(names()).containsExactly("a");
  }

  /** As where the directory is long, or its server slow. */
  @Test
  void whoHasStoodStillTakesTheLockAgain() throws Exception {
    var looks = new AtomicInteger();
    var calls =
        new NoLinks() {
          @Override
          public boolean exists(Path name) {
            if (looks.incrementAndGet() == 1) {
              nanos.addAndGet(ExclusiveRename.DEAD.toNanos());
            }
            return super.exists(name);
          }
        };
    new ExclusiveRename(calls, ExclusiveRename.DEAD, nanos::get)
        .rename(file("a"), directory.resolve("t"));
    assertThat(looks).hasValue(2);
    assertThat(names()).containsExactly("t");
  }

  /** As another one has it who has taken ours for a dead one's. */
  private Path takeOver() {
    try {
      TreeDeletion.delete(lock());
      return Files.createDirectories(lock().resolve(OTHERS_MARK));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aLockThatIsAnothersByNowStays() throws Exception {
    var calls =
        new NoLinks() {
          @Override
          public void move(Path from, Path to) throws IOException {
            super.move(from, to);
            takeOver();
          }
        };
    new ExclusiveRename(calls, ExclusiveRename.DEAD, nanos::get)
        .rename(file("a"), directory.resolve("t"));
    assertThat(lock().resolve(OTHERS_MARK)).exists();
  }

  /** Two have waited for it, and both find that it is a dead one's. */
  @Test
  void whoTakesALockAwayTakesNoneThatAnotherHasMadeMeanwhile() throws Exception {
    Path dead = Files.createDirectories(lock().resolve(MARK));
    var looks = new AtomicInteger();
    var stood = new AtomicBoolean();
    LongSupplier clock =
        () -> {
          int look = looks.incrementAndGet();
          if (look == LATE) {
            assertThat(dead).exists();
            takeOver();
          } else if (look == LATE + 3) {
            stood.set(Files.exists(lock().resolve(OTHERS_MARK)));
          }
          return nanos.addAndGet(ExclusiveRename.DEAD.toNanos() / 10);
        };
    new ExclusiveRename(new NoLinks(), ExclusiveRename.DEAD, clock)
        .rename(file("a"), directory.resolve("t"));
    assertThat(stood).isTrue();
    assertThat(looks).hasValueGreaterThan(LATE + 10);
    assertThat(names()).containsExactly("t");
  }

  /** As whoever may write to the directory can: the names of locks can be foreseen. */
  private void putInPlaceOfTheLock(Path keys, boolean link) {
    try {
      TreeDeletion.delete(lock());
      if (link) {
        Files.createSymbolicLink(lock(), keys);
      } else {
        Files.move(keys, lock());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ExclusiveRename hasty(Runnable whenLate) {
    var looks = new AtomicInteger();
    LongSupplier clock =
        () -> {
          if (looks.incrementAndGet() == LATE) {
            whenLate.run();
          }
          return nanos.addAndGet(ExclusiveRename.DEAD.toNanos() / 10);
        };
    return new ExclusiveRename(new NoLinks(), ExclusiveRename.DEAD, clock);
  }

  @Test
  void nothingIsTakenAwayWhereALinkByALocksNameLeads() throws Exception {
    Path source = file("a");
    Path keys = Files.createDirectory(directory.resolve("keys"));
    Path key = Files.writeString(keys.resolve(MARK), "key");
    Files.createSymbolicLink(lock(), keys);
    for (Path leadsTo : List.of(keys, directory.resolve("nowhere"))) {
      Files.delete(lock());
      Files.createSymbolicLink(lock(), leadsTo);
      refusedForNoLock(() -> hasty(() -> {}).rename(source, directory.resolve("t")));
    }
    Files.delete(lock());
    Files.createDirectories(lock().resolve(MARK));
    var late = hasty(() -> putInPlaceOfTheLock(keys, true));
    refusedForNoLock(() -> late.rename(source, directory.resolve("t")));
    assertThat(lock()).isSymbolicLink();
    assertThat(key).hasContent("key");
    assertThat(source).exists();
  }

  private static void refusedForNoLock(ThrowingCallable rename) {
    assertThatThrownBy(rename)
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("in the way of a rename");
  }

  @Test
  void whatRenamesDoNotLeaveInALockStays() throws Exception {
    Path source = file("a");
    for (String other : List.of("empty", MARK + "/not-empty")) {
      Path there = Files.createDirectories(lock().resolve(other));
      refusedForNoLock(() -> hasty(() -> {}).rename(source, directory.resolve("t")));
      assertThat(there).exists();
      TreeDeletion.delete(lock());
    }
  }

  /** Renames where these keys are put in the place of the first lock, just when it is made. */
  private void renameBeside(Path keys, boolean link) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwx---"));
    Files.writeString(Files.createDirectory(keys).resolve("key"), "key");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rwx------"));
    var replaced = new AtomicBoolean();
    var calls =
        new NoLinks() {
          @Override
          public void mkdir(Path name) throws IOException {
            super.mkdir(name);
            if (!replaced.getAndSet(true)) {
              putInPlaceOfTheLock(keys, link);
            }
          }
        };
    LongSupplier clock = () -> nanos.addAndGet(ExclusiveRename.DEAD.toNanos() / 10);
    new ExclusiveRename(calls, ExclusiveRename.DEAD, clock)
        .rename(file("a"), directory.resolve("t"));
  }

  @Test
  void whatIsPutInALocksPlaceIsNotOpenedToOthers() throws Exception {
    Path keys = directory.resolve("keys");
    renameBeside(keys, true);
    assertThat(names()).containsExactlyInAnyOrder("keys", "t");
    assertThat(keys.toFile().list()).containsExactly("key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys)))
        .isEqualTo("rwx------");

    refusedForNoLock(() -> renameBeside(directory.resolve("moved"), false));
    assertThat(lock().toFile().list()).containsExactly("key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lock())))
        .isEqualTo("rwx------");
  }

  /** A late one has taken it for a dead one's between its two calls, and a third has made it. */
  @Test
  void whoseMarkIsNotAloneHasNoLock() throws Exception {
    var other = new AtomicReference<Path>();
    var calls =
        new NoLinks() {
          @Override
          public void mkdir(Path name) throws IOException {
            if (other.get() == null && !name.equals(lock())) {
              other.set(takeOver());
            }
            super.mkdir(name);
          }

          @Override
          public void move(Path from, Path to) throws IOException {
            assertThat(other.get()).isNotNull().doesNotExist();
            super.move(from, to);
          }
        };
    LongSupplier clock = () -> nanos.addAndGet(ExclusiveRename.DEAD.toNanos() / 10);
    new ExclusiveRename(calls, ExclusiveRename.DEAD, clock)
        .rename(file("a"), directory.resolve("t"));
    assertThat(names()).containsExactly("t");
  }

  @Test
  void whereOthersMayRenameTheyMayTakeALockAway() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwx---"));
    var seen = new AtomicReference<String>();
    var calls =
        new NoLinks() {
          @Override
          public void move(Path from, Path to) throws IOException {
            seen.set(PosixFilePermissions.toString(Files.getPosixFilePermissions(lock())));
            super.move(from, to);
          }
        };
    new ExclusiveRename(calls, FOR_GOOD, nanos::get).rename(file("a"), directory.resolve("t"));
    assertThat(seen).hasValue("rwxrwx---");
  }

  @Test
  void aLockThatCannotBeMarkedIsReleased() throws Exception {
    var calls =
        new NoLinks() {
          @Override
          public void mkdir(Path name) throws IOException {
            if (!name.equals(lock())) {
              throw new FileSystemException(name.toString(), null, "Disk quota exceeded");
            }
            super.mkdir(name);
          }
        };
    Path source = file("a");
    assertThatThrownBy(
            () ->
                new ExclusiveRename(calls, FOR_GOOD, nanos::get)
                    .rename(source, directory.resolve("t")))
        .hasMessageContaining("quota");
    assertThat(names()).containsExactly("a");
  }

  /** One that made its directory, and died before its mark. */
  @Test
  void aLockWithoutAMarkIsTakenAwayToo() throws Exception {
    Files.createDirectory(lock());
    LongSupplier clock = () -> nanos.addAndGet(ExclusiveRename.DEAD.toNanos() / 10);
    new ExclusiveRename(new NoLinks(), ExclusiveRename.DEAD, clock)
        .rename(file("a"), directory.resolve("t"));
    assertThat(names()).containsExactly("t");
  }

  @Test
  void whoWaitsForALockCanBeInterrupted() throws Exception {
    Path target = directory.resolve("t");
    Files.createDirectory(ExclusiveRename.lockOf(target));
    Path source = file("a");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> without(FOR_GOOD).rename(source, target))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(source).exists();
  }

  @Test
  void whatComesFromElsewhereAsksForNoLock() throws Exception {
    Path target = directory.resolve("t");
    Files.createDirectory(ExclusiveRename.lockOf(target));
    Path source = Files.createDirectory(directory.resolve("task")).resolve("a");
    without(FOR_GOOD).rename(Files.writeString(source, "a"), target);
    assertThat(target).hasContent("a");
  }

  @Test
  void aLockIsReleasedWhateverComesOfTheRename() throws Exception {
    Path target = file("t");
    Path source = file("a");
    assertThatThrownBy(() -> without(FOR_GOOD).rename(source, target))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> without(FOR_GOOD).rename(directory.resolve("none"), target))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(
            () -> without(FOR_GOOD).rename(directory.resolve("none"), directory.resolve("new")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(names()).containsExactlyInAnyOrder("a", "t");
  }

  /** As over NFS, which makes a call again whose answer was lost. */
  @Test
  void aLinkThatWasMadeAndIsSaidToBeThereAlreadyRenames() throws Exception {
    Path target = directory.resolve("t");
    linking(
            (name, file) -> {
              Files.createLink(name, file);
              Files.createLink(name, file);
            })
        .rename(file("a"), target);
    assertThat(target).hasContent("a");
    assertThat(names()).containsExactly("t");
  }

  @Test
  void whatIsThereAndNotTheFilesSecondNameStays() throws Exception {
    Path source = file("a");
    Files.createLink(directory.resolve("b"), source);
    Path link = Files.createSymbolicLink(directory.resolve("link"), source);
    for (Path target : List.of(file("other"), link, source)) {
      assertThatThrownBy(() -> linking(Files::createLink).rename(source, target))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(names()).containsExactlyInAnyOrder("a", "b", "link", "other");
    assertThat(directory.resolve("other")).hasContent("other");
  }

  /** Whoever has made the new name takes it back when the old one is gone and another is there. */
  @Test
  void ofAFileOfThreeNamesANewOneThatIsThereIsNotTakenForOnesOwn() throws Exception {
    Path target = directory.resolve("t");
    linking(
            (name, file) -> {
              Files.createLink(name, file);
              Files.createLink(directory.resolve("h"), file);
              assertThatThrownBy(() -> linking(Files::createLink).rename(file, name))
                  .isInstanceOf(FileAlreadyExistsException.class);
            })
        .rename(file("a"), target);
    assertThat(names()).containsExactlyInAnyOrder("h", "t");
  }

  private static ExclusiveRename linking(ExclusiveRename.SystemCalls calls) {
    return new ExclusiveRename(calls, FOR_GOOD, System::nanoTime);
  }

  @Test
  void theLockOfTheLongestNameHasAName() throws Exception {
    Path target = directory.resolve("n".repeat(255));
    without(FOR_GOOD).rename(file("a"), target);
    assertThat(target).exists();
  }
}
