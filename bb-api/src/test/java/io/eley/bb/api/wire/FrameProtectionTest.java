package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.PlanMessage.EndApplication;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames after a handshake, and somebody on the way who changes them. */
class FrameProtectionTest {
  private static final Message MESSAGE = new EndApplication("application-17");

  private static ByteBuffer sealed(FrameSealer sealer, int correlation) {
    return sealer.seal(Codec.encode(MESSAGE, correlation));
  }

  private static long open(FrameOpener opener, ByteBuffer frame) throws EleyException {
    return FrameOpener.header(opener.open(frame.duplicate())).correlation();
  }

  @ParameterizedTest
  @EnumSource
  void framesAndPayloadsInterleaveInTheOrderOfTheirSealing(Protection protection) throws Exception {
    var pair = SealedPair.of(protection);
    byte[] bytes = new byte[3 * FrameSealer.PIECE + 5];
    new Random(1).nextBytes(bytes);
    // The payload's records are sealed after a later frame is: they leave as the socket takes them.
    ByteBuffer first = sealed(pair.sealer(), 1);
    FrameSealer.Payload payload = pair.sealer().payload(bytes.length);
    ByteBuffer second = sealed(pair.sealer(), 2);
    ByteBuffer records = ByteBuffer.allocate((int) payload.sealedLength());
    for (int at = 0; payload.nextLength() > 0; ) {
      int length = payload.nextLength();
      payload.seal(ByteBuffer.wrap(bytes, at, length), records);
      at += length;
    }
    assertThat(records.hasRemaining()).isFalse();

    assertThat(open(pair.opener(), first)).isEqualTo(1);
    ByteBuffer opened = ByteBuffer.allocate(bytes.length);
    records.flip();
    while (opened.hasRemaining()) {
      int length = Math.min(FrameSealer.PIECE, opened.remaining());
      if (protection.encrypts()) {
        pair.opener().openPiece(take(records, length + FrameSealer.TAG_BYTES), opened);
      } else {
        ByteBuffer piece = take(records, length);
        opened.put(piece.duplicate());
        pair.opener().checkPiece(piece, take(records, FrameSealer.TAG_BYTES));
      }
    }
    assertThat(opened.array()).isEqualTo(bytes);
    assertThat(open(pair.opener(), second)).isEqualTo(2);
  }

  private static ByteBuffer take(ByteBuffer from, int length) {
    ByteBuffer taken = from.slice(from.position(), length);
    from.position(from.position() + length);
    return taken;
  }

  @Test
  void whatIsEncryptedCannotBeRead() throws Exception {
    for (var protection : Protection.values()) {
      String text =
          new String(
              sealed(SealedPair.of(protection).sealer(), 1).array(), StandardCharsets.ISO_8859_1);
      assertThat(text.contains("application-17"))
          .as("legible, %s", protection)
          .isEqualTo(protection != Protection.ENCRYPTED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyBitOfAFrameCounts(Protection protection) throws Exception {
    byte[] traffic = SealedPair.traffic();
    byte[] frame = bytes(sealed(SealedPair.of(protection, traffic).sealer(), 1));
    for (int bit = 0; bit < 8 * frame.length; bit++) {
      byte[] flipped = frame.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      var opener = SealedPair.of(protection, traffic).opener();
      refused(() -> open(opener, ByteBuffer.wrap(flipped)));
    }
    assertThat(open(SealedPair.of(protection, traffic).opener(), ByteBuffer.wrap(frame)))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTHENTICATED", "ENCRYPTED"})
  void everyBitOfAPayloadCounts(Protection protection) {
    byte[] traffic = SealedPair.traffic();
    var payload = SealedPair.of(protection, traffic).sealer().payload(100);
    ByteBuffer record = ByteBuffer.allocate((int) payload.sealedLength());
    payload.seal(ByteBuffer.allocate(100), record);
    for (int bit = 0; bit < 8 * record.capacity(); bit++) {
      byte[] flipped = record.array().clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      var opener = SealedPair.of(protection, traffic).opener();
      refused(() -> openRecord(opener, flipped));
    }
  }

  private static void openRecord(FrameOpener opener, byte[] record) throws EleyException {
    int length = record.length - FrameSealer.TAG_BYTES;
    if (opener.protection().encrypts()) {
      opener.openPiece(ByteBuffer.wrap(record), ByteBuffer.allocate(length));
    } else {
      opener.checkPiece(
          ByteBuffer.wrap(record, 0, length),
          ByteBuffer.wrap(record, length, FrameSealer.TAG_BYTES));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFrameThatIsRepeatedIsRefused(Protection protection) throws Exception {
    var pair = SealedPair.of(protection);
    ByteBuffer frame = sealed(pair.sealer(), 1);
    assertThat(open(pair.opener(), frame)).isEqualTo(1);
    refused(() -> open(pair.opener(), frame));
  }

  @ParameterizedTest
  @EnumSource
  void aFrameThatIsLeftOutIsNoticedAtTheNext(Protection protection) {
    var pair = SealedPair.of(protection);
    sealed(pair.sealer(), 1);
    ByteBuffer second = sealed(pair.sealer(), 2);
    refused(() -> open(pair.opener(), second));
  }

  @ParameterizedTest
  @EnumSource
  void aFrameOfTheOtherDirectionOrOfAnotherConnectionIsRefused(Protection protection)
      throws Exception {
    var credentials = new Credentials(Secret.random(), Identity.CLIENT);
    var first = connection(credentials, protection);
    var second = connection(credentials, protection);
    ByteBuffer request = sealed(first.get(0).out(), 1);
    refused(() -> open(first.get(0).in(), request));
    refused(() -> open(second.get(1).in(), request));
    assertThat(open(first.get(1).in(), request)).isEqualTo(1);
  }

  /** Client and server of one connection. */
  private static List<SecuredFrames> connection(Credentials client, Protection protection)
      throws EleyException {
    var ends = EndpointsTest.between("10.0.0.1", "10.0.0.1");
    var setting =
        switch (protection) {
          case HOST -> io.eley.bb.api.NetworkProtection.AUTO;
          case AUTHENTICATED -> io.eley.bb.api.NetworkProtection.AUTHENTICATE;
          case ENCRYPTED -> io.eley.bb.api.NetworkProtection.ENCRYPT;
        };
    var half = new Handshake.Client(client, Identity.COORDINATOR, ends);
    var server =
        new Handshake.Server(
            new Credentials(client.secret(), Identity.COORDINATOR, setting), ends, half.hello());
    var agreement = half.respond(server.challenge());
    return List.of(agreement.frames(), server.verify(agreement.proof()));
  }

  /** Any change of the order, and any frame left out, repeated or put in, ends the connection. */
  @RepeatedTest(60)
  void onlyWhatWasSentIsDeliveredAndInItsOrder(RepetitionInfo round) throws Exception {
    var random = new Random(round.getCurrentRepetition());
    var protection = List.of(Protection.values()).get(round.getCurrentRepetition() % 3);
    var pair = SealedPair.of(protection);
    var sent = new ArrayList<ByteBuffer>();
    for (int i = 0; i < 12; i++) {
      sent.add(sealed(pair.sealer(), i));
    }
    var came = new ArrayList<>(sent);
    meddle(came, random);
    int delivered = 0;
    try {
      for (ByteBuffer frame : came) {
        assertThat(open(pair.opener(), frame)).isEqualTo(delivered);
        delivered++;
      }
    } catch (EleyException e) {
      assertThat(e.code()).isIn(ErrorCode.UNAUTHENTICATED, ErrorCode.MALFORMED);
    }
    assertThat(came.subList(0, delivered)).isEqualTo(sent.subList(0, delivered));
    // What is cut off at the end is noticed by whoever waits for it, or never was awaited.
    assertThat(delivered < came.size() || came.size() < sent.size()).isTrue();
  }

  private static void meddle(List<ByteBuffer> frames, Random random) {
    int at = random.nextInt(frames.size() - 1);
    switch (random.nextInt(5)) {
      case 0 -> Collections.swap(frames, at, at + 1);
      case 1 -> frames.add(at + 1, frames.get(random.nextInt(at + 1)));
      case 2 -> frames.remove(at);
      case 3 -> {
        byte[] forged = bytes(frames.get(at));
        random.nextBytes(forged);
        frames.add(at, ByteBuffer.wrap(forged));
      }
      default -> {
        byte[] changed = bytes(frames.get(at));
        changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
        frames.set(at, ByteBuffer.wrap(changed));
      }
    }
  }

  @Test
  void keysChangeBeforeTheyAreUsedUpAndGoOnWorking() throws Exception {
    byte[] traffic = SealedPair.traffic();
    var sealing = RecordCipher.sealing(traffic);
    var opening = RecordCipher.opening(traffic);
    byte[] previous = new byte[0];
    for (long number :
        new long[] {
          0,
          1,
          RecordCipher.RECORDS_PER_KEY - 1,
          RecordCipher.RECORDS_PER_KEY,
          // A payload that was begun under the last key goes on while frames have the next one.
          RecordCipher.RECORDS_PER_KEY - 2,
          3L * RecordCipher.RECORDS_PER_KEY,
          Long.MAX_VALUE
        }) {
      ByteBuffer out = ByteBuffer.allocate(8 + RecordCipher.TAG_BYTES);
      sealing.seal(number, ByteBuffer.allocate(0), ByteBuffer.allocate(8), out);
      assertThat(Arrays.copyOf(out.array(), 8)).as("record %s", number).isNotEqualTo(previous);
      previous = Arrays.copyOf(out.array(), 8);
      ByteBuffer opened = ByteBuffer.allocate(8);
      opening.open(number, ByteBuffer.allocate(0), out.flip(), opened);
      assertThat(opened.array()).isEqualTo(new byte[8]);
    }
    ByteBuffer late = ByteBuffer.allocate(8 + RecordCipher.TAG_BYTES);
    sealing.seal(5, ByteBuffer.allocate(0), ByteBuffer.allocate(8), late);
    refused(
        () ->
            opening.open(
                5 + RecordCipher.RECORDS_PER_KEY,
                ByteBuffer.allocate(0),
                late.flip(),
                ByteBuffer.allocate(8)));
  }

  @Test
  void lengthsAreCheckedBeforeAnythingIsWaitedFor() throws Exception {
    int sealed = 0x8000_0000;
    assertThat(FrameOpener.lengthBehind(sealed | FrameHeader.BYTES)).isEqualTo(36);
    assertThat(FrameOpener.lengthBehind(sealed | FrameHeader.BYTES + FrameHeader.MAX_BODY))
        .isEqualTo(36 + FrameHeader.MAX_BODY);
    malformed(() -> FrameOpener.lengthBehind(sealed | FrameHeader.BYTES - 1), "no room");
    malformed(() -> FrameOpener.lengthBehind(sealed | 0x7fff_ffff), "exceeds the limit");
    malformed(
        () -> FrameOpener.lengthBehind(sealed | FrameHeader.BYTES + FrameHeader.MAX_BODY + 1),
        "exceeds the limit of 1048576");
    refused(() -> FrameOpener.lengthBehind(100));
    refused(() -> FrameOpener.lengthBehind(0));
    var lying = ByteBuffer.allocate(FrameHeader.BYTES + 7);
    new FrameHeader(6, 0, MessageType.OK.number(), 1).encode(lying);
    malformed(() -> FrameOpener.header(lying.rewind()), "body of 6 bytes in a frame with 7");
  }

  @Test
  void onlyBetweenTwoEndsOfOneHostArePayloadsBareAndOnlyTheHighestLevelHides() {
    assertThat(Protection.values())
        .filteredOn(Protection::leavesPayloadsBare)
        .containsExactly(Protection.HOST);
    assertThat(Protection.values())
        .filteredOn(Protection::encrypts)
        .containsExactly(Protection.ENCRYPTED);
  }

  @Test
  void aFramesPrefixTellsWhatFollowsIt() throws Exception {
    ByteBuffer sealed = SealedPair.of(Protection.HOST).sealer().seal(ByteBuffer.allocate(25));
    int prefix = sealed.getInt(0);
    assertThat(FrameOpener.sealed(prefix)).isTrue();
    assertThat(FrameOpener.lengthBehind(prefix)).isEqualTo(sealed.remaining() - Integer.BYTES);
  }

  @Test
  void aPayloadOfWholePiecesHasARecordForEach() {
    var sealer = SealedPair.of(Protection.ENCRYPTED).sealer();
    for (int pieces = 1; pieces <= 3; pieces++) {
      int length = pieces * FrameSealer.PIECE;
      assertThat(sealer.payload(length).sealedLength()).isEqualTo(length + 16 * pieces);
      assertThat(sealer.payload(length - 1).sealedLength()).isEqualTo(length - 1 + 16 * pieces);
    }
  }

  @Test
  void aPieceHasTheLengthThatBelongs() {
    var payload = SealedPair.of(Protection.ENCRYPTED).sealer().payload(FrameSealer.PIECE + 1);
    assertThat(payload.sealedLength()).isEqualTo(FrameSealer.PIECE + 1 + 2 * 16);
    for (int wrong : new int[] {0, FrameSealer.PIECE - 1, FrameSealer.PIECE + 1}) {
      assertThatThrownBy(
              () -> payload.seal(ByteBuffer.allocate(wrong), ByteBuffer.allocate(1 << 20)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
  }

  private static void malformed(ThrowingCallable call, String text) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED))
        .hasMessageContaining(text);
  }
}
