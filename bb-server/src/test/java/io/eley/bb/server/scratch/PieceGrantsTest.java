package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.ScratchMessage.ScratchReserved;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PieceGrantsTest {
  private final PieceGrants grants = new PieceGrants();

  /** Until none is left. */
  private List<Integer> all() {
    var granted = new ArrayList<Integer>();
    try {
      while (true) {
        granted.add(grants.take());
      }
    } catch (EleyException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      return granted;
    }
  }

  @Test
  void aFewGetMuchAndManyGetSomething() throws Exception {
    List<Integer> granted = all();
    assertThat(granted).hasSizeGreaterThan(300);
    assertThat(granted.stream().mapToInt(Integer::intValue).sum()).isEqualTo(PieceGrants.MOST);
    assertThat(granted).allMatch(n -> n >= 1 && n <= ScratchReserved.PIECES_MAX);
    assertThat(granted).startsWith(ScratchReserved.PIECES_MAX);
    assertThat(granted).isSortedAccordingTo((a, b) -> Integer.compare(b, a));

    assertThatExceptionOfType(EleyException.class).isThrownBy(grants::take);
    grants.giveBack(granted.get(0));
    assertThat(grants.take()).isEqualTo(1);
  }

  @Test
  void whatIsGivenBackIsGrantedAgain() {
    List<Integer> granted = all();
    granted.forEach(grants::giveBack);
    assertThat(all()).isEqualTo(granted);
  }
}
