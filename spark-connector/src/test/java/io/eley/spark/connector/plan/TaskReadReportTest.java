package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.StageId;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.PlanMessage;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What executors send to the driver, and what they might. */
class TaskReadReportTest {
  private static final PlanMessage.TaskRead READ =
      new PlanMessage.TaskRead(
          new StageId("app", 3, 1),
          7,
          List.of(
              new FileSlice("/f", new ByteRange(0, 20)),
              new FileSlice("/g", new ByteRange(5, 1L << 40))),
          17);

  @Test
  void aReportArrivesAsItWasSent() {
    assertThat(TaskReadReport.decode(TaskReadReport.encode(READ))).contains(READ);
  }

  @Test
  void oneThatIsCutAnywhereIsNone() {
    byte[] whole = TaskReadReport.encode(READ);
    for (int length = 0; length < whole.length; length++) {
      assertThat(TaskReadReport.decode(Arrays.copyOf(whole, length)))
          .as("%s bytes of %s", length, whole.length)
          .isEmpty();
    }
    assertThat(TaskReadReport.decode(Arrays.copyOf(whole, whole.length + 1)))
        .as("a byte too many")
        .isEmpty();
  }

  @Test
  void noBitThatIsFlippedIsMoreThanAnotherReportOrNone() {
    byte[] whole = TaskReadReport.encode(READ);
    int read = 0;
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      var decoded = TaskReadReport.decode(flipped);
      read += decoded.isPresent() ? 1 : 0;
    }
    assertThat(read).as("names and numbers that are others").isBetween(1, 8 * whole.length - 1);
  }

  @Test
  void whatIsNoReportIsNone() {
    var other = Codec.encode(new PlanMessage.EndApplication("app"), FrameHeader.PUSH).array();
    assertThat(TaskReadReport.decode(other)).isEmpty();
    assertThat(TaskReadReport.decode("a word of another plugin")).isEmpty();
  }
}
