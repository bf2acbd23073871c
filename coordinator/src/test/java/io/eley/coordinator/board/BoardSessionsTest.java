package io.eley.coordinator.board;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.controller.board.Asker;
import io.eley.coordinator.FakeSession;
import io.eley.coordinator.board.BoardSessions.Deployment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many connections a key and a user may have, and how often they may ask. */
class BoardSessionsTest {
  private static final long SHORTEST = BoardSessions.SHORTEST.toNanos();

  private final BoardSessions sessions = new BoardSessions();
  private final List<FakeSession> opened = new ArrayList<>();
  private final List<Deployment> deployments = new ArrayList<>();

  private FakeSession open(String key, String user) {
    var session = new FakeSession(key);
    opened.add(session);
    sessions
        .open(session, new Asker(key, user), 0)
        .ifPresent(
            of -> {
              session.attach(of);
              deployments.add(of);
            });
    return session;
  }

  /** As the network does, some time after it was ended. */
  private void end(FakeSession session) {
    session.close();
    if (session.attachment() instanceof Deployment of) {
      sessions.close(session, of);
    }
  }

  private long alive() {
    return opened.stream().filter(session -> !session.closed()).count();
  }

  @Test
  void theNewestOfAKeyEndsTheOldest() {
    for (int i = 0; i < 500; i++) {
      assertThat(open("1-a", "ada").closed()).isFalse();
      assertThat(alive()).isLessThanOrEqualTo(BoardSessions.MOST_OF_A_KEY);
    }
    opened.stream().filter(FakeSession::closed).forEach(this::end);
    assertThat(alive()).as("the end of those is not counted twice").isEqualTo(2);
    assertThat(open("1-a", "ada").closed()).isFalse();
    assertThat(alive()).isEqualTo(2);
  }

  @Test
  void aUserHasSoManyAndThoseThatAreThereGoOn() {
    for (int i = 0; i < BoardSessions.MOST_OF_A_USER; i++) {
      open("1-" + i, "ada");
    }
    assertThat(alive()).isEqualTo(BoardSessions.MOST_OF_A_USER);
    assertThat(open("1-more", "ada").closed()).isTrue();
    assertThat(open("2-a", "bob").closed()).as("another user's").isFalse();

    FakeSession again = open("1-0", "ada");
    assertThat(again.closed()).as("who connects again has a place").isFalse();
    assertThat(opened.get(0).closed()).isTrue();
    end(opened.get(0));
    assertThat(open("1-more", "ada").closed()).isTrue();

    end(again);
    assertThat(open("1-more", "ada").closed()).as("a place is free").isFalse();
    assertThat(alive()).isEqualTo(BoardSessions.MOST_OF_A_USER + 1);
  }

  @Test
  void allConnectionsOfAKeyAskAsOftenAsOneMay() {
    open("1-a", "ada");
    open("1-a", "ada");
    Deployment first = deployments.get(0);
    Deployment second = deployments.get(1);
    assertThat(first.speaksTooOften(0)).as("the first word").isFalse();
    assertThat(second.speaksTooOften(SHORTEST - 1)).isTrue();
    assertThat(first.speaksTooOften(2 * SHORTEST - 2)).as("so soon after a refusal").isTrue();
    assertThat(second.speaksTooOften(3 * SHORTEST)).isFalse();
  }

  @Test
  void whoIsRefusedOftenerThanAnsweredIsRefusedTooOften() {
    open("1-a", "ada");
    Deployment of = deployments.get(0);
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
      of.noteAnswer();
      assertThat(of.isRefusedTooOften()).as("as often as answered").isFalse();
    }
    of.noteAnswer();
    while (!of.isRefusedTooOften()) {
      refused++;
    }
    assertThat(refused).isEqualTo(BoardSessions.MOST_REFUSALS);
  }
}
