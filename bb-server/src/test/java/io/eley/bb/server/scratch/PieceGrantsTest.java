package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.ScratchMessage.ScratchReserved;
import io.eley.bb.server.scratch.PieceGrants.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PieceGrantsTest {
  private final AtomicLong clock = new AtomicLong(-1);
  private final PieceGrants grants = new PieceGrants(clock::get);

  /** Until none is left. */
  private List<Grant> all() {
    var granted = new ArrayList<Grant>();
    try {
      while (true) {
        granted.add(grants.take());
      }
    } catch (EleyException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      return granted;
    }
  }

  private static List<Integer> pieces(List<Grant> granted) {
    return granted.stream().map(Grant::pieces).toList();
  }

  @Test
  void aFewGetMuchAndManyGetSomething() throws Exception {
    List<Grant> granted = all();
    List<Integer> pieces = pieces(granted);
    assertThat(pieces).hasSizeGreaterThan(300);
    assertThat(pieces.stream().mapToInt(Integer::intValue).sum()).isEqualTo(PieceGrants.MOST);
    assertThat(pieces).allMatch(n -> n >= 1 && n <= ScratchReserved.PIECES_MAX);
    assertThat(pieces).startsWith(ScratchReserved.PIECES_MAX);
    assertThat(pieces).isSortedAccordingTo((a, b) -> Integer.compare(b, a));

    assertThatExceptionOfType(EleyException.class).isThrownBy(grants::take);
    granted.get(0).giveBack();
    assertThat(grants.take().pieces()).isEqualTo(1);
  }

  @Test
  void whatIsGivenBackIsGrantedAgainOnce() {
    List<Grant> granted = all();
    granted.forEach(Grant::giveBack);
    granted.forEach(Grant::giveBack);
    assertThat(pieces(all())).isEqualTo(pieces(granted));
  }

  @Test
  void theSharesOfWritersThatSendNothingAreGrantedToOthersWhereLittleIsLeft() throws Exception {
    List<Grant> granted = all();
    clock.addAndGet(PieceGrants.SILENT.toNanos());
    assertThatExceptionOfType(EleyException.class).isThrownBy(grants::take);
    Grant busy = granted.get(0);
    busy.noteUse();
    clock.incrementAndGet();

    List<Grant> others = all();
    int sum = pieces(others).stream().mapToInt(Integer::intValue).sum();
    assertThat(sum).isEqualTo(PieceGrants.MOST - busy.pieces());
    granted.forEach(Grant::giveBack); // those that came back, and have ended
    assertThat(pieces(all()).stream().mapToInt(Integer::intValue).sum()).isEqualTo(busy.pieces());
  }
}
