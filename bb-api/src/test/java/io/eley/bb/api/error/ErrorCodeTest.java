package io.eley.bb.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorCodeTest {
  /** Peers of another release read these numbers: a new code gets a new line, none changes. */
  @ParameterizedTest
  @CsvSource({
    "NOT_OWNER, 1, RETRY",
    "UNAVAILABLE, 2, RETRY",
    "DEADLINE, 3, FALL_BACK",
    "NO_SPACE, 4, FALL_BACK",
    "DAMAGED, 5, RETRY",
    "ORIGIN_HUNG, 6, FALL_BACK",
    "ORIGIN_FAILED, 7, FAIL",
    "NOT_FOUND, 8, FAIL",
    "STALE_VERSION, 9, FAIL",
    "ACCESS_DENIED, 10, FAIL",
    "OUTSIDE_ORIGIN, 11, FAIL",
    "UNAUTHENTICATED, 12, FALL_BACK",
    "INCOMPATIBLE, 13, FALL_BACK",
    "MALFORMED, 14, FALL_BACK",
    "NOT_REGISTERED, 15, RETRY",
    "INTERNAL, 16, FALL_BACK",
    "INTERRUPTED, 17, FAIL",
    "ENDED, 18, FAIL"
  })
  void everyCodeHasItsNumberAndItsRemedy(ErrorCode code, int wire, Remedy remedy) {
    assertThat(code.wire()).isEqualTo(wire);
    assertThat(code.remedy()).isEqualTo(remedy);
    assertThat(ErrorCode.values()).as("codes in this table").hasSize(18);
  }

  @ParameterizedTest
  @EnumSource
  void aCodeIsFoundByItsNumber(ErrorCode code) {
    assertThat(ErrorCode.ofWire(code.wire())).isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 19, 1000, Integer.MAX_VALUE})
  void aNumberOfANewerPeerIsAnErrorOfThatPeer(int wire) {
    assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::wire)).doesNotContain(wire);
    assertThat(ErrorCode.ofWire(wire)).isEqualTo(ErrorCode.INTERNAL);
  }

  @Test
  void anErrorKeepsItsCauseAndSaysWhatToDo() {
    var cause = new IOException("disk");
    var error = new EleyException(ErrorCode.NO_SPACE, "full", cause);
    assertThat(error).hasMessage("full").hasCause(cause);
    assertThat(error.code()).isEqualTo(ErrorCode.NO_SPACE);
    assertThat(error.remedy()).isEqualTo(Remedy.FALL_BACK);
    assertThat(new EleyException(ErrorCode.DAMAGED, "bad")).hasNoCause();
  }
}
