package io.eley.controller.board;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceHealth;
import io.eley.controller.phase.SourceKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the board makes of what counters, Slurm and deployments tell it. */
class BoardLoopTest {
  private static final long MS = VirtualSite.MS;
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void whatDeploymentsMoveIsNobodysPhase() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the deployments' traffic (-Deley.test.seed=...): " + seed);
    for (int i = 0; i < 10; i++) {
      var site = new VirtualSite(seed + i, false);
      var ada = site.deployment("ada", "1-a");
      var bob = site.deployment("bob", "2-b");
      site.run(1_500); // of what it moves before its first word the board cannot know
      ada.moves = site.bursts(2e9);
      bob.moves = site.bursts(2e8);
      site.run(120_000);
      assertThat(site.opened).as("phases of nobody, seed %d", seed + i).isEmpty();
      assertThat(site.disbelieved).isEmpty();
      assertThat(bob.othersMoved).as("what ada moved, to bob").isGreaterThan(10_000_000_000L);
    }
  }

  @Test
  void anApplicationIsSeenBesideDeploymentsAndItsEndToo() {
    var site = new VirtualSite(7, false);
    var ada = site.deployment("ada", "1-a");
    var bob = site.deployment("bob", "2-b");
    boolean[] busy = {false}; // then the servers have less for each
    ada.moves = at -> ada.phases().isEmpty() ? busy[0] ? 35e6 : 60e6 : 0;
    bob.moves = at -> bob.phases().isEmpty() ? busy[0] ? 35e6 : 60e6 : 0;
    site.run(10_000);
    assertThat(site.opened).isEmpty();
    busy[0] = true;
    site.application(at -> ada.phases().isEmpty() ? 70e6 : 100e6);
    site.run(1_600);
    assertThat(site.opened).as("known within a second of the counters and 0.6 s").hasSize(1);
    site.run(1_500);
    assertThat(ada.phases()).containsExactly(Evidence.SOMEBODY);
    assertThat(bob.phases()).containsExactly(Evidence.SOMEBODY);
    assertThat(ada.answer.phases().get(0).bytesPerSecond()).isEqualTo(100_000_000L);
    site.application(at -> 0);
    site.run(2_500);
    assertThat(ada.phases()).isEmpty();
    assertThat(site.opened).hasSize(1);
  }

  /** Slurm's word goes through at once, whatever deployments claim. */
  @Test
  void aUserSeesTheNamesOfHisOwnJobsAlone() {
    var site = new VirtualSite(7, false);
    slurm(site);
    var ada = site.deployment("ada", "1-a");
    var eve = site.deployment("eve", "3-e");
    site.run(1000);
    assertThat(ada.phases()).containsExactly("climate@ada#1", Evidence.SOMEBODY);
    assertThat(eve.phases()).containsExactly(Evidence.SOMEBODY);
    var hidden = eve.answer.phases().get(0);
    assertThat(hidden.bytesPerSecond()).as("of three jobs").isEqualTo(30_000_000);
    assertThat(hidden.evidence().source()).isEqualTo("slurm");
  }

  @Test
  void anOperatorMayShowAllNames() {
    var site = new VirtualSite(7, true);
    slurm(site);
    var eve = site.deployment("eve", "3-e");
    site.run(1000);
    assertThat(eve.phases()).containsExactly("climate@ada#1", "ior@bob#2", "ior@bob#3");
    assertThat(eve.answer.sources())
        .extracting(SourceHealth::source)
        .containsExactly("announced", "counters", "slurm");
  }

  private static void slurm(VirtualSite site) {
    site.board.add(SourceKind.sampled("slurm", 0.95, SECOND, SECOND.multipliedBy(4)));
    site.board.noteOwners(Map.of("climate@ada#1", "ada", "ior@bob#2", "bob", "ior@bob#3", "bob"));
    long now = site.now();
    site.board.observe(
        "slurm",
        List.of(
            new Sighting("climate@ada#1", now - 1000 * MS, now, 10_000_000, false),
            new Sighting("ior@bob#2", now - 1000 * MS, now, 10_000_000, false),
            new Sighting("ior@bob#3", now - 1000 * MS, now, 10_000_000, false)));
  }

  @Test
  void whoeverClaimsMoreThanEverybodyMovesHidesNoPhaseForLong() {
    var site = new VirtualSite(7, false);
    var honest = site.deployment("ada", "1-a");
    var liar = site.deployment("eve", "3-e");
    liar.lies = at -> 500e6;
    site.application(at -> at % 10_000 < 5_000 ? 200e6 : 0);
    site.run(14_000); // from the begin of a phase to the end of the next one
    assertThat(site.disbelieved).containsExactly("eve");
    site.run(46_000);
    assertThat(site.opened).as("of the last five phases").hasSizeGreaterThanOrEqualTo(4);
    assertThat(site.disbelieved).as("she goes on, and is told from others once").hasSize(1);
    site.application(at -> 0);
    liar.lies = at -> 0;
    honest.moves = at -> 50e6;
    site.run(5_000);
    assertThat(honest.phases()).as("who is honest is believed").isEmpty();
    site.run(40_000);
    int before = site.opened.size();
    liar.moves = at -> 50e6;
    site.run(20_000);
    assertThat(site.opened).as("so is she, after half a minute").hasSize(before);
  }

  /** Below what is taken for a lie: 16 MiB in a second, and what counters saw themselves. */
  @Test
  void aMountThatAnswersFromItsOwnMemoryIsNoLie() {
    var site = new VirtualSite(7, false);
    var ada = site.deployment("ada", "1-a");
    ada.moves = at -> 60e6;
    ada.lies = at -> 40e6;
    site.run(60_000);
    assertThat(site.disbelieved).isEmpty();
  }

  @Test
  void absurdWordsOfOneDeploymentChangeNothingForOthers() {
    var site = new VirtualSite(7, false);
    var ada = site.deployment("ada", "1-a");
    ada.moves = site.bursts(1e8);
    var eve = new Asker("3-e", "eve");
    long[] words = {0, Long.MAX_VALUE, 5, Long.MAX_VALUE - 1, 0, 1L << 62};
    for (int i = 0; i < 200; i++) {
      site.board.answer(eve, words[i % words.length], i % 2 == 0 ? Long.MIN_VALUE : -1L >>> 1);
      site.run(150);
    }
    assertThat(site.opened).isEmpty();
    site.application(at -> 100e6);
    for (int i = 0; i < 40; i++) {
      site.board.answer(eve, words[i % words.length], site.now());
      site.run(150);
    }
    assertThat(ada.phases()).containsExactly(Evidence.SOMEBODY);
    assertThat(ada.othersMoved).isBetween(0L, Claims.MOST_PER_SECOND * 40);
  }

  @Test
  void sharesAreEqualBetweenUsersAndThenBetweenTheDeploymentsOfOne() {
    var site = new VirtualSite(7, false);
    var ada = site.deployment("ada", "1-a");
    ada.moves = at -> 1e6;
    site.run(1000);
    assertThat(ada.answer.sharers()).isEqualTo(1);
    var bob = site.deployment("bob", "2-b");
    site.run(1000);
    assertThat(ada.answer.sharers()).as("bob's moves nothing").isEqualTo(1);
    assertThat(bob.answer.sharers()).isEqualTo(2);
    bob.moves = at -> 1e6;
    var more = site.deployment("bob", "2-c");
    more.moves = at -> 1e6;
    site.run(1000);
    assertThat(ada.answer.sharers()).isEqualTo(2);
    assertThat(bob.answer.sharers()).isEqualTo(4);
    bob.moves = at -> 0;
    more.silent = true;
    site.run(12_000);
    assertThat(ada.answer.sharers()).isEqualTo(1);
    assertThat(site.board.deployments()).isEqualTo(2);
  }

  @Test
  void aDeploymentThatFallsSilentKeepsTheCountersWaitingForSecondsOnly() {
    var site = new VirtualSite(7, false);
    var ada = site.deployment("ada", "1-a");
    var gone = site.deployment("bob", "2-b");
    ada.moves = at -> 20e6;
    gone.moves = at -> gone.silent ? 0 : 20e6;
    site.run(10_000);
    gone.silent = true;
    site.run(5_000);
    assertThat(site.opened).isEmpty();
    site.application(at -> 100e6);
    site.run(2_500);
    assertThat(ada.phases()).containsExactly(Evidence.SOMEBODY);
  }

  /** As {@code eley doctor} does, each with a key of its own. */
  @Test
  void whoOnlyLooksKeepsNobodysPhaseWaiting() {
    var site = new VirtualSite(7, false);
    site.run(10_000);
    site.application(at -> 100e6);
    for (int i = 0; i < 8; i++) {
      var unused = site.board.answerLook(new Asker("3-" + i, "eve"));
      site.run(200);
    }
    assertThat(site.opened).as("known within a second of the counters and 0.6 s").hasSize(1);
    assertThat(site.board.deployments()).isZero();
    assertThat(site.board.answerLook(new Asker("3-e", "eve")).phases()).hasSize(1);
  }

  @Test
  void aUserWithVeryManyDeploymentsGetsNoPlaceForMore() {
    var site = new VirtualSite(7, false);
    for (int i = 0; i < 100; i++) {
      site.board.answer(new Asker("3-" + i, "eve"), 0, 0);
    }
    assertThat(site.board.deployments()).isEqualTo(Claims.MOST_OF_A_USER);
    site.board.answer(new Asker("1-a", "ada"), 0, 0);
    assertThat(site.board.deployments()).isEqualTo(Claims.MOST_OF_A_USER + 1);
  }

  @Test
  void forecastsAreToldWithoutNamesThatAreHidden() {
    var site = new VirtualSite(7, false);
    var ada = site.deployment("ada", "1-a");
    site.application(at -> at % 10_000 < 4_000 ? 100e6 : 0);
    site.run(80_000);
    assertThat(ada.answer.forecasts()).isNotEmpty();
    var next = ada.answer.forecasts().get(0);
    assertThat(next.application()).isEqualTo(Evidence.SOMEBODY);
    assertThat((next.onset() / MS + 2_000) % 10_000)
        .as("the counters are off by a second")
        .isBetween(800L, 3_000L);
  }
}
