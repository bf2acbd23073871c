package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTypeTest {
  /** Peers of another release read these numbers: a new message gets a new line, none changes. */
  @ParameterizedTest
  @CsvSource({
    "HELLO, 1",
    "CHALLENGE, 2",
    "PROOF, 3",
    "OK, 4",
    "FAILURE, 5",
    "PING, 7",
    "KEYED_HELLO, 8",
    "READ_BLOCK, 16",
    "BLOCK_DATA, 17",
    "OPEN_LOCAL, 18",
    "LOCAL_BLOCK, 19",
    "RELEASE_LOCAL, 20",
    "BLOCK_DAMAGED, 21",
    "GET_VIEW, 32",
    "VIEW, 33",
    "GET_STATUS, 34",
    "STATUS, 35",
    "GET_LISTING, 36",
    "LISTING, 37",
    "FORGET, 38",
    "STATUSES_CHANGED, 39",
    "STATUSES_SEEN, 40",
    "START_APPLICATION, 48",
    "WAVE_SIZE, 49",
    "PLAN_STAGE, 50",
    "TASKS_ENDED, 51",
    "STAGE_ENDED, 52",
    "END_APPLICATION, 53",
    "TENTATIVE_STAGE, 54",
    "TASK_READ, 55",
    "OUTPUTS_STAYED, 56",
    "BEGIN_PHASE, 64",
    "END_PHASE, 65",
    "PHASE_HELD, 66",
    "GET_REPORT, 67",
    "REPORT, 68",
    "GET_WHY, 69",
    "WHY, 70",
    "PHASE_ENDED, 71",
    "REGISTER, 80",
    "BLOCKS_CHANGED, 82",
    "PERMIT_APPLIED, 83",
    "GRANT_PERMIT, 84",
    "FETCH_BLOCKS, 85",
    "FREE_BLOCKS, 86",
    "ORIGIN_READ, 87",
    "ASK_FALLBACK, 96",
    "FALLBACK_LANE, 97",
    "ASK_BOARD, 104",
    "BOARD_VIEW, 105",
    "OPEN_SCRATCH, 112",
    "SCRATCH_OPENED, 113",
    "RESERVE_SCRATCH, 114",
    "SCRATCH_RESERVED, 115",
    "WRITE_SCRATCH, 116",
    "COMMIT_SCRATCH, 117",
    "ABANDON_SCRATCH, 118",
    "DROP_SCRATCH, 119"
  })
  void everyMessageHasItsNumber(MessageType type, int number) {
    assertThat(type.number()).isEqualTo(number);
    assertThat(MessageType.ofNumber(number)).isEqualTo(type);
    assertThat(MessageType.values()).as("messages in this table").hasSize(58);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 6, 81, 127, 128, 65535, Integer.MIN_VALUE})
  void aNumberThatNoMessageHasIsRefused(int number) {
    assertThatThrownBy(() -> MessageType.ofNumber(number))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown message type " + number);
  }

  @Test
  void theVersionOfTheProtocolIsChangedOnPurposeOnly() {
    assertThat(HandshakeMessage.VERSION).isEqualTo(19);
    assertThat(HandshakeMessage.MAGIC).isEqualTo(0x454c4559);
  }
}
