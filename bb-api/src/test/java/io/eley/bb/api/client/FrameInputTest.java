package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.Seed;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PhaseMessage.Why;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.Protection;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.SealedPair;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames out of a channel that gives as little, or as much, as it likes. */
@Timeout(60)
class FrameInputTest {
  private static final int STAGING = 16 << 10;
  private static final byte[] NOTHING = {};
  private static final List<Protection> PROTECTIONS = List.of(Protection.values());

  @Test
  void whateverPiecesTheChannelGivesTheFramesAreTheSame() throws Exception {
    for (int round = 0; round < 30; round++) {
      var random = Seed.random("round " + round);
      var pair = SealedPair.of(PROTECTIONS.get(round % 3));
      var frames = new ArrayList<Frame>();
      var stream = new ByteArrayOutputStream();
      for (int i = 0; i < 30; i++) {
        Frame frame = frame(random);
        frames.add(frame);
        stream.write(pair.frame(frame.message, frame.correlation, frame.payload));
      }
      int most = 1 << random.nextInt(20);
      var input = new FrameInput(new Trickle(stream.toByteArray(), most, random), pair.opener());
      for (Frame expected : frames) {
        read(input, expected, random);
      }
      assertThatThrownBy(input::header).isInstanceOf(EOFException.class);
    }
  }

  private static void read(FrameInput input, Frame expected, Random random) throws Exception {
    FrameHeader header = input.header();
    assertThat(header.correlation()).isEqualTo(expected.correlation);
    assertThat(input.message(header)).isEqualTo(expected.message);
    assertThat(header.payloadLength()).isEqualTo(expected.payload.length);
    if (random.nextInt(4) == 0) {
      input.skip(header.payloadLength());
      return;
    }
    var target =
        random.nextBoolean()
            ? ByteBuffer.allocate(header.payloadLength() + 20)
            : ByteBuffer.allocateDirect(header.payloadLength() + 20);
    target.position(7).limit(7 + header.payloadLength());
    var arrived = new ArrayList<Integer>();
    input.readPayload(target, arrived::add);
    assertThat(arrived).as("told as it comes").isSorted().contains(header.payloadLength());
    assertThat(target.hasRemaining()).isFalse();
    assertThat(target.limit()).as("the limit is as before").isEqualTo(target.position());
    byte[] got = new byte[header.payloadLength()];
    target.get(7, got);
    assertThat(got).isEqualTo(expected.payload);
    assertThat(target.get(6)).isZero();
    target.limit(target.capacity());
    assertThat(target.get(7 + got.length)).isZero();
  }

  @Test
  void aHeaderAndItsBodyCostOneCall() throws Exception {
    for (var protection : Protection.values()) {
      var pair = SealedPair.of(protection);
      byte[] frame = pair.frame(new StartApplication("a", "b"), 1, NOTHING);
      var channel = new Trickle(frame, Integer.MAX_VALUE, new Random(1));
      var input = new FrameInput(channel, pair.opener());
      input.message(input.header());
      assertThat(channel.reads).as("reads, %s", protection).isEqualTo(1);
    }
  }

  @Test
  void bodiesAboutAsLargeAsTheStagingBufferAreRead() throws Exception {
    for (int length = STAGING - 25; length <= STAGING + 5; length++) {
      // The number of lines and the length of each, four bytes each, are a part of the body.
      int rest = length - 12 - 8000;
      var message = new Why(List.of("c".repeat(rest), "d".repeat(8000)));
      assertThat(Codec.encode(message, 1).remaining() - FrameHeader.BYTES).isEqualTo(length);
      var pair = SealedPair.of(PROTECTIONS.get(length % 3));
      byte[] frame = pair.frame(message, 1, NOTHING);
      var input = new FrameInput(new Trickle(frame, 5000, new Random(length)), pair.opener());
      FrameHeader header = input.header();
      assertThat(((Why) input.message(header)).lines().get(0)).hasSize(rest);
    }
  }

  @Test
  void aChannelThatEndsInTheMiddleIsAnEndAndNothingElse() throws Exception {
    for (var protection : Protection.values()) {
      endsAnywhere(protection);
    }
  }

  private static void endsAnywhere(Protection protection) {
    byte[] traffic = SealedPair.traffic();
    byte[] frame =
        SealedPair.of(protection, traffic)
            .frame(new BlockData(0, true, true, List.of()), 1, new byte[100]);
    for (int length = 0; length < frame.length; length++) {
      var channel = new Trickle(Arrays.copyOf(frame, length), 13, new Random(length));
      var input = new FrameInput(channel, SealedPair.of(protection, traffic).opener());
      assertThatThrownBy(
              () -> {
                FrameHeader header = input.header();
                input.message(header);
                input.readPayload(ByteBuffer.allocate(header.payloadLength()));
              })
          .as("%s bytes of a frame, %s", length, protection)
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedBeforeItIsRead() {
    var prefix = ByteBuffer.allocate(Integer.BYTES + 100);
    prefix.putInt(0x8000_0000 | FrameHeader.BYTES + FrameHeader.MAX_BODY + 1);
    var channel = new Trickle(prefix.array(), Integer.MAX_VALUE, new Random(1));
    var opener = SealedPair.of(Protection.ENCRYPTED).opener();
    assertThatThrownBy(() -> new FrameInput(channel, opener).header())
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED));
    assertThat(channel.reads).isEqualTo(1);
  }

  private static Frame frame(Random random) {
    long correlation = Seed.number(random);
    return switch (random.nextInt(4)) {
      case 0 -> new Frame(new Ok(), correlation, new byte[0]);
      case 1 ->
          new Frame(new StartApplication("a", Seed.text(random, 90)), correlation, new byte[0]);
      case 2 -> {
        var checksums = new ArrayList<Integer>();
        for (int n = STAGING / 4 - 20 + random.nextInt(40); n > 0; n--) {
          checksums.add(random.nextInt());
        }
        yield data(random, correlation, checksums, random.nextInt(50));
      }
      default -> data(random, correlation, List.of(), random.nextInt(1 << random.nextInt(20)));
    };
  }

  private static Frame data(Random random, long correlation, List<Integer> checksums, int length) {
    byte[] payload = new byte[length];
    random.nextBytes(payload);
    return new Frame(new BlockData(3, true, false, checksums), correlation, payload);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Frame(Message message, long correlation, byte[] payload) {}

  /** A channel that gives a few bytes at a time, and counts how often it was asked. */
  private static final class Trickle implements ReadableByteChannel {
    private final ByteBuffer bytes;
    private final int most;
    private final Random random;
    private int reads;

    Trickle(byte[] bytes, int most, Random random) {
      this.bytes = ByteBuffer.wrap(bytes);
      this.most = most;
      this.random = random;
    }

    @Override
    public int read(ByteBuffer target) {
      reads++;
      if (!bytes.hasRemaining()) {
        return -1;
      }
      int piece = most == Integer.MAX_VALUE ? most : 1 + random.nextInt(most);
      int count = Math.min(piece, Math.min(bytes.remaining(), target.remaining()));
      target.put(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
