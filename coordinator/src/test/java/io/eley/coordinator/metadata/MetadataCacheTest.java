package io.eley.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.test.fixtures.FakeOrigin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataCacheTest {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration NEGATIVE = Duration.ofSeconds(1);

  private final FakeOrigin origin = new FakeOrigin();
  private final AtomicLong clock = new AtomicLong();
  private final MetadataCache cache = cache(Duration.ofSeconds(20));

  private MetadataCache cache(Duration deadline) {
    var options = new CoordinatorOptions.Metadata(TTL, NEGATIVE, deadline, 1 << 20);
    return new MetadataCache(origin, options, clock::get);
  }

  @AfterEach
  void close() {
    origin.thaw();
    cache.close();
  }

  private static <T> T done(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof EleyException ours ? ours : e;
    }
  }

  private OriginStatus stat(String path, boolean opening) throws Exception {
    return done(cache.stat(path, opening));
  }

  @Test
  void aHundredAtOnceCostOneCall() throws Exception {
    origin.put("/a", 5);
    origin.freeze();
    var asked = new ArrayList<CompletableFuture<OriginStatus>>();
    for (int i = 0; i < 100; i++) {
      asked.add(cache.stat("/a", false));
    }
    origin.thaw();

    for (var answer : asked) {
      assertThat(done(answer).length()).isEqualTo(5);
    }
    assertThat(origin.stats).hasValue(1);
  }

  @Test
  void theThreadThatHasAskedTheOriginAnswersWithoutWakingAnother() throws Exception {
    origin.put("/a", 5);
    origin.freeze();
    var asked = cache.stat("/a", true).thenApply(status -> Thread.currentThread().getName());
    origin.thaw();
    assertThat(done(asked)).startsWith("eley-coordinator-origin-");
  }

  @Test
  void aHeldCacheAsksOneFileAfterTheOtherAndCountsAListingsChildren() throws Exception {
    for (int i = 0; i < 5; i++) {
      origin.put("/d/f" + i, 5);
    }
    cache.hold(true);
    origin.freeze();
    var asked = new ArrayList<CompletableFuture<OriginStatus>>();
    for (int i = 0; i < 5; i++) {
      asked.add(cache.stat("/d/f" + i, true));
    }
    await().until(() -> origin.stats.get() == 1);
    assertThat(cache.calls()).isEqualTo(1);
    origin.thaw();
    for (var answer : asked) {
      assertThat(done(answer).length()).isEqualTo(5);
    }
    assertThat(cache.calls()).isEqualTo(5);
    assertThat(done(cache.list("/d"))).hasSize(5);
    assertThat(cache.calls()).as("the directory, its names, and each of them").isEqualTo(5 + 7);
  }

  @Test
  void aHundredOpeningsAtOnceCostTwoCalls() throws Exception {
    origin.put("/a", 5);
    origin.freeze();
    var asked = new ArrayList<CompletableFuture<OriginStatus>>();
    asked.add(cache.stat("/a", true));
    await().until(() -> origin.stats.get() == 1);
    for (int i = 0; i < 99; i++) {
      asked.add(cache.stat("/a", true));
    }
    origin.thaw();

    for (var answer : asked) {
      assertThat(done(answer).length()).isEqualTo(5);
    }
    assertThat(origin.stats).hasValue(2);
  }

  @Test
  void whoOpensAFileIsNotToldWhatACallSawThatHadBegunBefore() throws Exception {
    origin.put("/a", 5);
    origin.freezeAnswers();
    var early = cache.stat("/a", false);
    await().until(() -> origin.stats.get() == 1);
    origin.put("/a", 6);
    var late = cache.stat("/a", true);
    var patient = cache.stat("/a", false);
    origin.thaw();

    assertThat(done(early).length()).isEqualTo(5);
    assertThat(done(patient).length()).isEqualTo(5);
    assertThat(done(late).length()).isEqualTo(6);
    assertThat(stat("/a", false).length()).as("what is kept").isEqualTo(6);
    assertThat(origin.stats).hasValue(2);
  }

  @Test
  void forgettingDoesNotLoseThoseWhoWaitForTheNextCall() throws Exception {
    origin.put("/a", 5);
    origin.freeze();
    var first = cache.stat("/a", true);
    await().until(() -> origin.stats.get() == 1);
    var next = cache.stat("/a", true);
    cache.forget("/a");
    var after = cache.stat("/a", true);
    origin.thaw();

    for (var answer : List.of(first, next, after)) {
      assertThat(done(answer).length()).isEqualTo(5);
    }
    assertThat(origin.stats).hasValue(3);
  }

  @Test
  void answersAreGoodUntilTheyAreTooOld() throws Exception {
    origin.put("/a", 5);
    stat("/a", false);
    origin.put("/a", 6);
    clock.set(TTL.toNanos() - 1);
    assertThat(stat("/a", false).length()).isEqualTo(5);

    clock.set(TTL.toNanos());
    assertThat(stat("/a", false).length()).isEqualTo(6);
    assertThat(origin.stats).hasValue(2);
  }

  @Test
  void openingAFileAsksTheOriginAndEverybodyHearsOfTheChange() throws Exception {
    var changes = new CopyOnWriteArrayList<OriginStatus>();
    cache.setListener(changes::add);
    origin.put("/a", 5);
    stat("/a", true);
    stat("/a", true);
    assertThat(changes).isEmpty();
    origin.put("/a", 6);

    assertThat(stat("/a", true).length()).isEqualTo(6);
    assertThat(stat("/a", false).length()).isEqualTo(6);
    assertThat(changes).containsExactly(origin.status("/a"));
    assertThat(origin.stats).hasValue(3);
  }

  /** Removed past Eley: what was in it is not there any longer, whoever asks. */
  @Test
  void whatHasGoneWhenItIsAskedForIsForgottenWithWhatWasBelowIt() throws Exception {
    origin.put("/d/a", 1);
    origin.put("/d/e/f", 5);
    done(cache.list("/d"));
    done(cache.list("/d/e"));
    stat("/d/e", false);
    origin.remove("/d/e/f");
    assertThat(stat("/d/e/f", false).length()).as("not asked for yet").isEqualTo(5);

    assertThatThrownBy(() -> stat("/d/e", true)).hasMessageContaining("/d/e");
    assertThatThrownBy(() -> stat("/d/e/f", false)).hasMessageContaining("/d/e/f");
    assertThatThrownBy(() -> stat("/d/e", false)).hasMessageContaining("/d/e");
    assertThat(done(cache.list("/d"))).hasSize(1);
  }

  @Test
  void thatAFileDoesNotExistIsKnownForAMoment() throws Exception {
    assertThatThrownBy(() -> stat("/a", false)).hasMessageContaining("/a");
    origin.put("/a", 5);
    assertThatThrownBy(() -> stat("/a", false)).isInstanceOf(EleyException.class);
    assertThat(origin.stats).hasValue(1);

    assertThat(stat("/a", true).length()).isEqualTo(5);
  }

  @Test
  void otherErrorsAreNotKept() throws Exception {
    origin.put("/a", 5);
    origin.failWith(new EleyException(ErrorCode.ORIGIN_FAILED, "EIO"));
    assertThatThrownBy(() -> stat("/a", false)).hasMessage("EIO");
    origin.recover();

    assertThat(stat("/a", false).length()).isEqualTo(5);
  }

  @Test
  void oneListingAnswersForAllItsChildren() throws Exception {
    IntStream.range(0, 20).forEach(i -> origin.put("/d/" + i, i));
    for (int i = 0; i < 3; i++) {
      assertThat(done(cache.list("/d"))).hasSize(20);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(stat("/d/" + i, false).length()).isEqualTo(i);
    }
    assertThat(origin.lists).hasValue(1);
    assertThat(origin.stats).hasValue(0);
  }

  @Test
  void whatWasWrittenIntoADirectoryIsInItsNextListing() throws Exception {
    origin.put("/d/a", 1);
    assertThat(done(cache.list("/d"))).hasSize(1);
    origin.put("/d/b", 1);
    assertThat(done(cache.list("/d"))).extracting(OriginStatus::path).contains("/d/b");
    assertThat(origin.lists).hasValue(2);
  }

  /** As ABFS and GCS may have it; nobody tells of what is written past us. */
  @Test
  void whereDirectoriesDoNotTellOfTheirChildrenEachQuestionIsAListing() throws Exception {
    origin.directoriesTell = false;
    origin.put("/d/a", 1);
    assertThat(done(cache.list("/d"))).hasSize(1);
    origin.write("/d/b", 1, 1); // the directory looks as before
    assertThat(done(cache.list("/d"))).hasSize(2);
    assertThat(origin.lists).hasValue(2);
  }

  @Test
  void manyListingsOfADirectoryThatStaysCostOneAndAStatEach() throws Exception {
    origin.put("/d/a", 1);
    for (int i = 0; i < 10; i++) {
      done(cache.list("/d"));
    }
    assertThat(origin.lists).hasValue(1);
    assertThat(origin.directoryStats)
        .as("before the listing, and for the nine after it")
        .hasValue(10);
    var atOnce = IntStream.range(0, 100).mapToObj(i -> cache.list("/d")).toList();
    for (var one : atOnce) {
      assertThat(done(one)).hasSize(1);
    }
    assertThat(origin.lists).hasValue(1);
  }

  @Test
  void aDirectoryThatWasChangedWithinTheLastTickIsListedAgain(@TempDir Path temp) throws Exception {
    Path directory = Files.createDirectory(temp.resolve("d"));
    Files.writeString(directory.resolve("a"), "1");
    try (var mounted = MountedOrigin.open(temp);
        var real =
            new MetadataCache(
                mounted,
                new CoordinatorOptions.Metadata(TTL, NEGATIVE, TTL, 1 << 20),
                clock::get)) {
      for (String name : List.of("b", "c", "d", "e")) {
        done(real.list("/d"));
        Files.writeString(directory.resolve(name), "1");
        assertThat(done(real.list("/d"))).extracting(OriginStatus::path).contains("/d/" + name);
      }
    }
  }

  /** By a clock that is behind ours a change of this moment looks old. */
  @Test
  void aDirectoryThatWasChangedLatelyIsListedAgainUntilATickAfterItWasSeen() throws Exception {
    origin.put("/d/a", 1);
    origin.directoryMillis = System.currentTimeMillis() - 3000;
    assertThat(done(cache.list("/d"))).hasSize(1);
    origin.write("/d/b", 1, 1); // in the same tick: the directory looks as before
    assertThat(done(cache.list("/d"))).hasSize(2);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(2) + 1);
    for (int i = 0; i < 5; i++) {
      assertThat(done(cache.list("/d"))).hasSize(2);
    }
    assertThat(origin.lists).hasValue(3);
  }

  @Test
  void thePagesOfAListingCostOneListingAndOneStatHoweverLittleMayBeKept() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      origin.put(String.format("/many/part-%05d", i), 1);
    }
    int pages = 0;
    for (int round = 0; round < 2; round++) {
      var seen = new ArrayList<OriginStatus>();
      for (String after = ""; seen.size() < 10_000; pages++) {
        var children = done(after.isEmpty() ? cache.list("/many") : cache.listOn("/many"));
        seen.addAll(Listings.page("/many", children, after).children());
        after = seen.get(seen.size() - 1).path().substring("/many/".length());
      }
      assertThat(seen).isEqualTo(origin.list("/many"));
      origin.lists.decrementAndGet();
      assertThat(origin.lists).as("it is too large to be kept").hasValue(round + 1);
      assertThat(origin.directoryStats).hasValue(round + 1);
    }
    assertThat(pages).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void pagesAreOfTheListingThatBeganLastThoughOneFromBeforeEndsLater(boolean others)
      throws Exception {
    origin.put("/d/a", 1);
    origin.put("/e/a", 1);
    var taken = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    origin.afterList =
        (n, list) -> {
          if (n == 1) {
            taken.countDown();
            passed(goOn);
          }
        };
    var early = cache.list("/d");
    passed(taken);
    origin.put("/d/z", 1);
    cache.forget("/d/z");
    clock.incrementAndGet();
    assertThat(done(cache.list("/d"))).hasSize(2);
    if (others) {
      done(cache.list("/e"));
      cache.forget("/d/z");
    }
    goOn.countDown();
    assertThat(done(early)).hasSize(1);
    assertThat(done(cache.listOn("/d"))).extracting(OriginStatus::path).contains("/d/z");
  }

  private static void passed(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whoComesAfterAFileWasWrittenInPlaceSeesItThoughItsDirectoryIsUnchanged() throws Exception {
    origin.put("/d/a", 1);
    long early = cache.now();
    done(cache.list("/d", early));
    origin.write("/d/a", 2, 2);
    clock.addAndGet(1000);
    long late = cache.now();
    assertThat(done(cache.stat("/d/a", early)).length()).as("until it is too old").isEqualTo(1);

    assertThat(done(cache.stat("/d/a", late)).length()).isEqualTo(2);
    assertThat(done(cache.list("/d", late)).get(0).length()).isEqualTo(2);
    assertThat(done(cache.list("/d", early)).get(0).length()).isEqualTo(2);
    assertThat(origin.lists).as("one for each who came").hasValue(2);
    done(cache.list("/d", late));
    assertThat(origin.lists).hasValue(2);
  }

  @Test
  void aHundredWhoComeShareTheCallsThatBeganAfterThem() throws Exception {
    origin.put("/d/a", 1);
    done(cache.list("/d"));
    clock.addAndGet(1000);
    origin.freeze();
    var asked = IntStream.range(0, 100).mapToObj(i -> cache.list("/d", cache.now())).toList();
    origin.thaw();
    for (var one : asked) {
      assertThat(done(one)).hasSize(1);
    }
    assertThat(origin.lists).hasValueLessThanOrEqualTo(3);
  }

  @Test
  void aFileIsWhatTheNewestOfListingAndStatusSays() throws Exception {
    origin.put("/d/a", 1);
    stat("/d/a", true);
    origin.put("/d/a", 2);
    clock.addAndGet(5);
    done(cache.list("/d"));
    assertThat(stat("/d/a", false).length()).as("the listing is newer").isEqualTo(2);
    origin.put("/d/a", 3);
    clock.addAndGet(5);
    stat("/d/a", true);
    assertThat(stat("/d/a", false).length()).as("the status is newer").isEqualTo(3);
  }

  @Test
  void whatANewerListingDoesNotHaveIsNotWhatAnOlderStatusSays() throws Exception {
    origin.put("/d/a", 1);
    origin.put("/d/b", 1);
    stat("/d/a", false);
    origin.remove("/d/a");
    clock.addAndGet(5);
    assertThat(done(cache.list("/d"))).hasSize(1);
    assertThatThrownBy(() -> stat("/d/a", false))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void aChangeSinceTheListingIsNoticedWhenTheFileIsOpened() throws Exception {
    var changes = new CopyOnWriteArrayList<OriginStatus>();
    cache.setListener(changes::add);
    origin.put("/d/a", 1);
    done(cache.list("/d"));
    origin.put("/d/a", 2);
    stat("/d/a", true);
    assertThat(changes).containsExactly(origin.status("/d/a"));
  }

  @Test
  void forgettingAPathForgetsWhatIsBelowAndAboveIt() throws Exception {
    for (String path : List.of("/d", "/d/e", "/d/e/f", "/other", "/d/ee")) {
      origin.put(path, 1);
      stat(path, false);
    }
    cache.forget("/d/e");
    origin.stats.set(0);
    for (String path : List.of("/d", "/d/e", "/d/e/f", "/other", "/d/ee")) {
      stat(path, false);
    }
    assertThat(origin.stats).as("/d, /d/e and /d/e/f").hasValue(3);
  }

  @Test
  void callsThatHangAreTold() throws Exception {
    origin.put("/a", 5);
    origin.freeze();
    var hanging = cache.stat("/a", false);
    await().until(() -> origin.stats.get() == 1);
    assertThat(cache.describe()).as("not for long yet").isEmpty();
    assertThat(cache.describe(Duration.ZERO))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .matches("origin: 1 calls for metadata have not come back for up to \\d+ s.*"));
    origin.thaw();
    done(hanging);
    await().until(() -> cache.describe(Duration.ZERO).isEmpty());
  }

  @Test
  void anAnswerFromBeforeAChangeIsNotKept() throws Exception {
    origin.put("/a", 5);
    origin.freeze();
    var early = cache.stat("/a", false);
    await().until(() -> origin.stats.get() == 1);
    cache.forget("/a");
    origin.thaw();
    done(early);

    stat("/a", false);
    assertThat(origin.stats).hasValue(2);
  }

  @Test
  void anOriginThatHangsCostsThreadsAndNotTheCache() throws Exception {
    try (var impatient = cache(Duration.ofSeconds(5))) {
      origin.put("/known", 1);
      origin.put("/a", 2);
      done(impatient.stat("/known", false));
      origin.freeze();

      var hung = IntStream.range(0, 40).mapToObj(i -> impatient.stat("/hung" + i, true)).toList();

      assertThat(done(impatient.stat("/known", false)).length()).isEqualTo(1);
      for (var call : hung) {
        assertThatThrownBy(() -> done(call))
            .isInstanceOfSatisfying(
                EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_HUNG));
      }
      origin.thaw();
      // While calls that hung still have the threads, one may wait for its turn past its deadline.
      await()
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(done(impatient.stat("/a", true)).length()).isEqualTo(2));
    }
  }

  @Test
  void afterTheEndQuestionsFailAtOnce() {
    cache.close();

    assertThatThrownBy(() -> stat("/a", true))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
  }
}
