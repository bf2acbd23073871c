package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.Seed;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as whole frames, with random contents and at the bounds of what they may be. */
class MessagesTest {
  private static final FileVersion FILE = new FileVersion("/f", 1 << 30, 1);
  private static final BlockId BLOCK = new BlockId(FILE, 0);

  @ParameterizedTest
  @EnumSource
  void everyMessageComesBackEqual(MessageType type) throws Exception {
    var random = Seed.random("messages of type " + type);
    var messages = new RandomMessages(random);
    for (int i = 0; i < 100; i++) {
      Message message = messages.of(type);
      long correlation = Seed.number(random);
      ByteBuffer frame = Codec.encode(message, correlation);
      FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
      assertThat(header)
          .isEqualTo(new FrameHeader(frame.remaining(), 0, type.number(), correlation));
      Message read = Codec.decode(header, frame);
      assertThat(read).isEqualTo(message);
      assertThat(read.hashCode()).isEqualTo(message.hashCode());
      assertThat(read.type()).isEqualTo(type);
      assertThat(frame.hasRemaining()).as("the body is consumed").isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aByteMoreOrLessIsMalformed(MessageType type) throws Exception {
    var messages = new RandomMessages(Seed.random("messages of type " + type));
    for (int i = 0; i < 20; i++) {
      ByteBuffer frame = Codec.encode(messages.of(type), 1);
      FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
      var longer = ByteBuffer.allocate(frame.remaining() + 1).put(frame.duplicate()).rewind();
      malformed(header, longer);
      if (frame.hasRemaining()) {
        malformed(header, frame.slice(frame.position(), frame.remaining() - 1));
      }
    }
  }

  @Test
  void thatAPeerWasInterruptedIsNoReasonToGiveUp() {
    var failure =
        ReplyMessage.Failure.of(new EleyException(ErrorCode.INTERRUPTED, "interrupted: stat /f"));
    assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void aMessageOfOneTypeIsNotReadAsOneOfAnother() {
    malformed(new FrameHeader(0, 0, 127, 1), ByteBuffer.allocate(0));
    malformed(new FrameHeader(0, 0, 0, 1), ByteBuffer.allocate(0));
    malformed(new FrameHeader(0, 0, 65535, 1), ByteBuffer.allocate(0));
  }

  @Test
  void aPayloadIsAnnouncedButNotPartOfTheFrame() throws Exception {
    var data = new BlockMessage.BlockData(0, true, true, List.of(7));
    ByteBuffer frame = Codec.encode(data, 3, 1000);
    FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
    assertThat(header.payloadLength()).isEqualTo(1000);
    assertThat(header.bodyLength()).isEqualTo(frame.remaining());
    assertThat(Codec.decode(header, frame)).isEqualTo(data);
  }

  @Test
  void aMessageAsLargeAsAFrameMayBeIsSentAndALargerOneIsNot() throws Exception {
    // A list of numbers is 4 bytes and 4 for each; block data has 6 bytes before it.
    int most = (FrameHeader.MAX_BODY - 4 - 6) / 4;
    var largest = new BlockMessage.BlockData(0, true, true, Collections.nCopies(most, 1));
    ByteBuffer frame = Codec.encode(largest, 1);
    FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
    assertThat(header.bodyLength()).isBetween(FrameHeader.MAX_BODY - 3, FrameHeader.MAX_BODY);
    assertThat(Codec.decode(header, frame)).isEqualTo(largest);
    var larger = new BlockMessage.BlockData(0, true, true, Collections.nCopies(most + 1, 1));
    assertThatThrownBy(() -> Codec.encode(larger, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "BLOCK_DATA of " + (10 + 4 * (most + 1)) + " bytes is larger than a frame may be");
  }

  @Test
  void aBodyOfExactlyTheLargestSizeIsSent() {
    // A text's length of 4 bytes, a number of 8 and an empty list's 4.
    String text = "a".repeat(FrameHeader.MAX_BODY - 16);
    assertThat(Codec.encode(new BlockMessage.LocalBlock(text, 1, List.of()), 1).remaining())
        .isEqualTo(FrameHeader.BYTES + FrameHeader.MAX_BODY);
    assertThatThrownBy(() -> Codec.encode(new BlockMessage.LocalBlock(text + "a", 1, List.of()), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPageOfTheLongestNamesFitsIntoAFrame() throws Exception {
    String path = "/" + "€".repeat(OriginPaths.MAX_LENGTH - 1);
    String name = "n".repeat(4096);
    var child = new OriginStatus(path, false, Long.MAX_VALUE, Long.MAX_VALUE, 0777, name, name);
    int most = (FrameHeader.MAX_BODY - 64) / MetadataMessage.Listing.bytesAtMost(child);
    var page = new MetadataMessage.Listing(Collections.nCopies(most, child), true);
    ByteBuffer frame = Codec.encode(page, 1);
    FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
    assertThat(Codec.decode(header, frame)).isEqualTo(page);
  }

  @Test
  void theFirstMessagesFitIntoWhatAStrangerMaySend() {
    for (var type :
        List.of(
            MessageType.HELLO, MessageType.KEYED_HELLO, MessageType.CHALLENGE, MessageType.PROOF)) {
      Message message = new RandomMessages(Seed.random("the handshake")).of(type);
      assertThat(Codec.encode(message, 1).remaining() - FrameHeader.BYTES)
          .isLessThanOrEqualTo(FrameHeader.MAX_HANDSHAKE_BODY);
    }
  }

  @Test
  void anotherProtocolIsToldFromAnotherVersion() throws Exception {
    var hello = new HandshakeMessage.Hello(99, new byte[32]);
    ByteBuffer frame = Codec.encode(hello, 1);
    FrameHeader header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
    assertThat(Codec.decode(header, frame.duplicate())).isEqualTo(hello);
    frame.put(frame.position(), (byte) 'X');
    assertThatThrownBy(() -> Codec.decode(header, frame))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("this is not the Eley protocol");
  }

  @ParameterizedTest
  @CsvSource({"31", "33", "0"})
  void noncesAndProofsHave32Bytes(int length) {
    byte[] right = new byte[32];
    byte[] wrong = new byte[length];
    for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call :
        List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
            () -> new HandshakeMessage.Hello(4, wrong),
            () -> challenge(wrong, right),
            () -> challenge(right, wrong),
            () -> proof(wrong))) {
      assertThatThrownBy(call).hasMessage(length + " bytes where 32 belong");
    }
  }

  private static final Endpoints ENDS =
      new Endpoints(new InetSocketAddress("10.0.0.1", 1), new InetSocketAddress("10.0.0.2", 2));
  private static final Endpoints OTHER_ENDS =
      new Endpoints(new InetSocketAddress("10.0.0.1", 1), new InetSocketAddress("10.0.0.2", 3));

  private static HandshakeMessage.Challenge challenge(byte[] nonce, byte[] proof) {
    return new HandshakeMessage.Challenge(
        nonce, Identity.COORDINATOR, ENDS, Protection.HOST, proof);
  }

  private static HandshakeMessage.Proof proof(byte[] proof) {
    return new HandshakeMessage.Proof(Identity.CLIENT, Identity.COORDINATOR, ENDS, proof);
  }

  @Test
  void handshakeMessagesAreEqualByTheirBytes() {
    byte[] zero = new byte[32];
    byte[] one = new byte[32];
    one[31] = 1;
    assertThat(new HandshakeMessage.Hello(4, zero))
        .isEqualTo(new HandshakeMessage.Hello(4, new byte[32]))
        .isNotEqualTo(new HandshakeMessage.Hello(4, one))
        .isNotEqualTo(new HandshakeMessage.Hello(5, zero));
    assertThat(new HandshakeMessage.KeyedHello(4, zero, "k"))
        .isEqualTo(new HandshakeMessage.KeyedHello(4, new byte[32], "k"))
        .isNotEqualTo(new HandshakeMessage.KeyedHello(4, one, "k"))
        .isNotEqualTo(new HandshakeMessage.KeyedHello(5, zero, "k"))
        .isNotEqualTo(new HandshakeMessage.KeyedHello(4, zero, "l"))
        .isNotEqualTo(new HandshakeMessage.Hello(4, zero));
    assertThat(challenge(zero, one))
        .isEqualTo(challenge(new byte[32], one.clone()))
        .isNotEqualTo(challenge(one, one))
        .isNotEqualTo(challenge(zero, zero))
        .isNotEqualTo(
            new HandshakeMessage.Challenge(zero, Identity.CLIENT, ENDS, Protection.HOST, one))
        .isNotEqualTo(
            new HandshakeMessage.Challenge(
                zero, Identity.COORDINATOR, OTHER_ENDS, Protection.HOST, one))
        .isNotEqualTo(
            new HandshakeMessage.Challenge(
                zero, Identity.COORDINATOR, ENDS, Protection.ENCRYPTED, one));
    assertThat(proof(zero))
        .isEqualTo(proof(new byte[32]))
        .isNotEqualTo(proof(one))
        .isNotEqualTo(new HandshakeMessage.Proof(Identity.ORIGIN, Identity.COORDINATOR, ENDS, zero))
        .isNotEqualTo(new HandshakeMessage.Proof(Identity.CLIENT, Identity.ORIGIN, ENDS, zero))
        .isNotEqualTo(
            new HandshakeMessage.Proof(Identity.CLIENT, Identity.COORDINATOR, OTHER_ENDS, zero))
        .hasSameHashCodeAs(proof(new byte[32]));
  }

  @ParameterizedTest
  @CsvSource({"-1, 1", "0, 0", "0, -1", "1, 2147483647", "2147483647, 1"})
  void aReadIsARangeOfABlock(int offset, int length) {
    assertThatThrownBy(
            () ->
                new BlockMessage.ReadBlock(BLOCK, 1 << 20, offset, length, ReadCause.DEMAND, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a range of a block: offset " + offset + ", length " + length);
  }

  @Test
  void theLargestReadEndsWhereIntsDo() {
    var read =
        new BlockMessage.ReadBlock(
            BLOCK, 1 << 20, Integer.MAX_VALUE - 1, 1, ReadCause.DEMAND, false);
    assertThat(read.length()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "f", "/f/", "/a/../b", "/a\0"})
  void pathsInQuestionsAreNormalised(String path) {
    for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call :
        List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
            () -> new MetadataMessage.GetStatus(path, true),
            () -> new MetadataMessage.GetListing(path, ""),
            () -> new MetadataMessage.Forget(path))) {
      assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void anApplicationNeedsNoNameForPeopleAndHasAPlainOne() {
    assertThat(new PlanMessage.StartApplication("app-1", "").name()).isEmpty();
    assertThat(new PlanMessage.StartApplication("app-1", "Word\nCount").name())
        .isEqualTo("Word\\x0aCount");
  }

  @Test
  void aPhaseHasAnApplicationAndALease() {
    assertThatThrownBy(() -> new PhaseMessage.BeginPhase(" ", Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PhaseMessage.BeginPhase("a", Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PhaseMessage.BeginPhase("a", Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PlanMessage.WaveSize("a", -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void outputsThatStayedAreCountedByCause() {
    assertThatThrownBy(() -> new Stayed(StayCause.NO_ROOM, -1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Stayed(StayCause.NO_ROOM, 0, -1))
        .isInstanceOf(IllegalArgumentException.class);
    int causes = StayCause.values().length;
    var most = Collections.nCopies(causes + 1, new Stayed(StayCause.NO_ROOM, 1, 1));
    assertThat(new PlanMessage.OutputsStayed("a", most.subList(1, causes + 1)).stayed())
        .hasSize(causes);
    assertThatThrownBy(() -> new PlanMessage.OutputsStayed("a", most))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aStatusIsLentForAMinuteAtMost() {
    var status = new OriginStatus("/f", false, 1, 1, 0644, "", "");
    for (var lease : List.of(Duration.ofMillis(-1), Duration.ofMillis(60_001))) {
      assertThatThrownBy(() -> new MetadataMessage.Status(status, lease))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theTextOfAFailureIsCutAndItsCodeKept() {
    var failure = new ReplyMessage.Failure(ErrorCode.DAMAGED, "x".repeat(1001));
    assertThat(failure.text()).isEqualTo("x".repeat(1000));
    String fits = "y".repeat(1000);
    assertThat(new ReplyMessage.Failure(ErrorCode.DAMAGED, fits).text()).isEqualTo(fits);
    assertThat(failure.toException().code()).isEqualTo(ErrorCode.DAMAGED);
    var error = new EleyException(ErrorCode.NO_SPACE, "full");
    assertThat(ReplyMessage.Failure.of(error))
        .isEqualTo(new ReplyMessage.Failure(ErrorCode.NO_SPACE, "full"));
  }

  @Test
  void aCodeOfANewerPeerIsReadAsAnErrorOfThatPeer() throws Exception {
    ByteBuffer body = new WireWriter().i32(4711).text("new").written();
    var header = new FrameHeader(body.remaining(), 0, MessageType.FAILURE.number(), 1);
    assertThat(Codec.decode(header, body))
        .isEqualTo(new ReplyMessage.Failure(ErrorCode.INTERNAL, "new"));
  }

  @Test
  void aReportSumsTheBytesOfItsNodesByCause() {
    var random = Seed.random("the reports");
    var messages = new RandomMessages(random);
    for (int i = 0; i < 200; i++) {
      var report = ((PhaseMessage.Report) messages.of(MessageType.REPORT)).report();
      for (var cause : ReadCause.values()) {
        long sum = 0;
        boolean any = false;
        for (var node : report.nodes()) {
          Long bytes = node.counters().originBytes().get(cause);
          any |= bytes != null;
          sum += bytes == null ? 0 : bytes;
        }
        assertThat(report.originBytes().containsKey(cause)).isEqualTo(any);
        assertThat(report.originBytes().getOrDefault(cause, 0L)).isEqualTo(sum);
      }
      assertThat(report.openPhases())
          .isEqualTo(
              report.phases().stream().map(DeploymentReport.PhaseReport::application).toList());
    }
  }

  private static void malformed(FrameHeader header, ByteBuffer body) {
    assertThatThrownBy(() -> Codec.decode(header, body))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED))
        .hasMessageStartingWith("malformed message of type " + header.type() + ": ");
  }
}
