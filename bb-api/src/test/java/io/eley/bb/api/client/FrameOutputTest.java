package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eley.bb.api.Seed;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameSealer;
import io.eley.bb.api.wire.Protection;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.api.wire.SealedPair;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames and bytes of files into a channel that takes as little as it likes. */
@Timeout(60)
class FrameOutputTest {
  private static final int MOST = 3 * FrameSealer.PIECE;

  @TempDir private Path temp;

  @ParameterizedTest
  @EnumSource(Protection.class)
  void aFrameAndItsPayloadAreThoseOfTheWire(Protection protection) throws Exception {
    var random = Seed.random("frames of " + protection);
    byte[] bytes = new byte[MOST + 100];
    random.nextBytes(bytes);
    byte[] traffic = SealedPair.traffic();
    var expected = SealedPair.of(protection, traffic);
    var channel = new Reluctant(random);
    var output = new FrameOutput(channel, SealedPair.of(protection, traffic).sealer());
    try (var file = FileChannel.open(Files.write(temp.resolve("file"), bytes))) {
      for (int round = 0; round < 20; round++) {
        int length = 1 + random.nextInt(MOST);
        int from = random.nextInt(bytes.length - length + 1);
        var message = new WriteScratch(round, 0, from, length);
        output.write(Codec.encode(message, 7, length), new FilePayload(file, from, length));
        assertThat(channel.taken())
            .isEqualTo(expected.frame(message, 7, Arrays.copyOfRange(bytes, from, from + length)));
        output.write(Codec.encode(new Ok(), 8));
        assertThat(channel.taken()).isEqualTo(expected.frame(new Ok(), 8, new byte[0]));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Protection.class)
  void framesThatLeaveTogetherAreThoseOfTheWire(Protection protection) throws Exception {
    byte[] traffic = SealedPair.traffic();
    var expected = SealedPair.of(protection, traffic);
    var channel = new Reluctant(Seed.random("frames together, " + protection));
    var output = new FrameOutput(channel, SealedPair.of(protection, traffic).sealer());
    for (int count = 0; count < 5; count++) {
      var frames = new ArrayList<ByteBuffer>();
      var bytes = new ByteArrayOutputStream();
      for (int i = 0; i < count; i++) {
        frames.add(Codec.encode(new Ok(), i));
        bytes.write(expected.frame(new Ok(), i, new byte[0]));
      }
      output.write(frames);
      assertThat(channel.taken()).isEqualTo(bytes.toByteArray());
    }
  }

  @ParameterizedTest
  @EnumSource(Protection.class)
  void aFileThatIsShorterEndsIt(Protection protection) throws Exception {
    var output = new FrameOutput(new Reluctant(new Random(1)), SealedPair.of(protection).sealer());
    var frame = Codec.encode(new WriteScratch(1, 0, 0, 101), 7, 101);
    try (var file = FileChannel.open(Files.write(temp.resolve("file"), new byte[100]))) {
      assertThatExceptionOfType(EOFException.class)
          .isThrownBy(() -> output.write(frame, new FilePayload(file, 0, 101)))
          .withMessageContaining("became shorter");
    }
  }

  private static final class Reluctant implements WritableByteChannel {
    private final Random random;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

    Reluctant(Random random) {
      this.random = random;
    }

    byte[] taken() {
      byte[] bytes = taken.toByteArray();
      taken.reset();
      return bytes;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      byte[] some = new byte[random.nextInt(source.remaining() + 1)];
      source.get(some);
      taken.write(some);
      return some.length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
