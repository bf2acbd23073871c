package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.Seed;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameHeaderTest {
  private static final int DATA = MessageType.BLOCK_DATA.number();

  @Test
  void theLayoutIsWhatTheDocumentationDraws() {
    var out = ByteBuffer.allocate(FrameHeader.BYTES);
    new FrameHeader(0x010203, 0x04050607, DATA, 0x08090a0b0c0d0e0fL).encode(out);
    assertThat(out.hasRemaining()).isFalse();
    assertThat(HexFormat.of().formatHex(out.array()))
        .isEqualTo("00010203" + "04050607" + "0011" + "0000" + "08090a0b0c0d0e0f");
  }

  @Test
  void everyHeaderWithinTheLimitsComesBackEqual() throws Exception {
    var random = Seed.random("the headers");
    for (int i = 0; i < 5000; i++) {
      boolean data = random.nextBoolean();
      var header =
          new FrameHeader(
              random.nextInt(FrameHeader.MAX_BODY + 1),
              data ? random.nextInt(FrameHeader.MAX_PAYLOAD) + 1 : 0,
              data ? DATA : random.nextInt(65536),
              Seed.number(random));
      var frame = ByteBuffer.allocate(FrameHeader.BYTES + 5);
      header.encode(frame);
      assertThat(FrameHeader.decode(frame.flip(), FrameHeader.MAX_BODY)).isEqualTo(header);
      assertThat(frame.hasRemaining()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"512, 512", "1048576, 1048576", "0, 512"})
  void bodiesUpToTheLimitAreTaken(int body, int limit) throws Exception {
    assertThat(FrameHeader.decode(header(body, 0, 4, 0), limit).bodyLength()).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource({
    "513, 512, body of 513 bytes exceeds the limit of 512",
    "1048577, 1048576, body of 1048577 bytes exceeds the limit of 1048576",
    "-1, 1048576, body of 4294967295 bytes exceeds the limit of 1048576"
  })
  void bodiesBeyondTheLimitAreRefusedByTheirLength(int body, int limit, String message) {
    refused(header(body, 0, 4, 0), limit, message);
  }

  @Test
  void payloadsAreBoundedAndBelongToData() throws Exception {
    int most = FrameHeader.MAX_PAYLOAD;
    assertThat(FrameHeader.decode(header(1, most, DATA, 0), 512).payloadLength()).isEqualTo(most);
    refused(header(1, most + 1, DATA, 0), 512, "payload of 1073741825 bytes exceeds the limit");
    refused(header(1, -2, DATA, 0), 512, "payload of 4294967294 bytes exceeds the limit");
    refused(header(1, 1, DATA + 1, 0), 512, "a payload behind message type 18");
    int written = MessageType.WRITE_SCRATCH.number();
    assertThat(FrameHeader.decode(header(1, 9, written, 0), 512).payloadLength()).isEqualTo(9);
    assertThat(FrameHeader.decode(header(1, 0, DATA, 0), 512).payloadLength()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1", "-1", "256"})
  void theReservedFieldIsZero(short reserved) {
    refused(header(1, 0, 4, reserved), 512, "reserved field is " + reserved);
  }

  private static ByteBuffer header(int body, int payload, int type, int reserved) {
    return ByteBuffer.allocate(FrameHeader.BYTES)
        .putInt(body)
        .putInt(payload)
        .putShort((short) type)
        .putShort((short) reserved)
        .putLong(9)
        .flip();
  }

  private static void refused(ByteBuffer header, int limit, String message) {
    assertThatThrownBy(() -> FrameHeader.decode(header, limit))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED))
        .hasMessageStartingWith("malformed frame: ")
        .hasMessageContaining(message);
  }
}
