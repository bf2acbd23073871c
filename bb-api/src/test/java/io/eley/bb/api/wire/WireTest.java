package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.Seed;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The primitives: what is written is read again, and nothing else is believed. */
class WireTest {
  @Test
  void numbersAreBigEndianAndTextIsUtf8BehindItsLength() {
    var out = new WireWriter().u8(0x1ff).bool(true).bool(false).i32(-2).i64(0x0102030405060708L);
    out.text("aß").blob(new byte[] {9}).constant(ReadCause.DEMAND);
    assertThat(hex(out))
        .isEqualTo(
            "ff"
                + "01"
                + "00"
                + "fffffffe"
                + "0102030405060708"
                + "00000003"
                + "61c39f"
                + "00000001"
                + "09"
                + "00000006"
                + "44454d414e44");
    WireReader in = reader(out);
    assertThat(in.u8()).isEqualTo(255);
    assertThat(in.bool()).isTrue();
    assertThat(in.bool()).isFalse();
    assertThat(in.i32()).isEqualTo(-2);
    assertThat(in.i64()).isEqualTo(0x0102030405060708L);
    assertThat(in.text()).isEqualTo("aß");
    assertThat(in.blob(1)).containsExactly(9);
    assertThat(in.constant(ReadCause.class)).isEqualTo(ReadCause.DEMAND);
    in.requireEnd();
  }

  /** Things of random kinds in a row, so that the buffer grows at every possible place. */
  @Test
  void whateverIsWrittenInARowIsReadInARow() {
    var random = Seed.random("the rows");
    for (int i = 0; i < 500; i++) {
      var out = new WireWriter();
      var checks = new ArrayList<Consumer<WireReader>>();
      for (int n = random.nextInt(120); n > 0; n--) {
        long number = Seed.number(random);
        String text = Seed.text(random, 200);
        switch (random.nextInt(4)) {
          case 0 -> {
            out.i64(number);
            checks.add(in -> assertThat(in.i64()).isEqualTo(number));
          }
          case 1 -> {
            out.i32((int) number);
            checks.add(in -> assertThat(in.i32()).isEqualTo((int) number));
          }
          case 2 -> {
            out.u8((int) number);
            checks.add(in -> assertThat(in.u8()).isEqualTo((int) number & 0xff));
          }
          default -> {
            out.text(text);
            checks.add(in -> assertThat(in.text()).isEqualTo(text));
          }
        }
      }
      WireReader in = reader(out);
      checks.forEach(check -> check.accept(in));
      in.requireEnd();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {255, 256, 257, 511, 512, 513, 100_000})
  void aBlobThatIsLargerThanTheBufferMakesItGrow(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 5);
    WireReader in = reader(new WireWriter().u8(1).blob(bytes).u8(2));
    assertThat(in.u8()).isEqualTo(1);
    assertThat(in.blob(length)).isEqualTo(bytes);
    assertThat(in.u8()).isEqualTo(2);
  }

  @Test
  void whatWasWrittenCanBeLookedAtAndWrittenOn() {
    var out = new WireWriter().u8(1);
    assertThat(out.written().remaining()).isEqualTo(1);
    out.u8(2);
    assertThat(out.written().remaining()).isEqualTo(2);
    assertThat(new WireWriter().written().hasRemaining()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 128, 255})
  void aBooleanIsZeroOrOne(int value) {
    refused(new WireWriter().u8(value), WireReader::bool, "not a boolean: " + value);
  }

  @ParameterizedTest
  @CsvSource({"-1, 4", "5, 4", "2147483647, 4", "3, 2"})
  void aLengthBeyondItsLimitIsRefusedBeforeAnythingIsAllocated(int length, int limit) {
    var out = new WireWriter().i32(length).i32(0);
    refused(out, in -> in.blob(limit), "length " + length + " with a limit of ");
  }

  @Test
  void aLengthBeyondWhatIsLeftIsRefused() {
    refused(new WireWriter().i32(3).u8(0).u8(0), in -> in.blob(100), "length 3 with a limit of 2");
    assertThat(reader(new WireWriter().i32(2).u8(7).u8(8)).blob(2)).containsExactly(7, 8);
  }

  @Test
  void textsHaveTheirLimitsInBytes() {
    String name = "ß".repeat(2048);
    assertThat(reader(new WireWriter().text(name)).text()).isEqualTo(name);
    refused(new WireWriter().text(name + "a"), WireReader::text, "length 4097");
    String path = "€".repeat(4096);
    assertThat(reader(new WireWriter().text(path)).path()).isEqualTo(path);
    refused(new WireWriter().text(path + "a"), WireReader::path, "length 12289");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff", "c3", "c328", "eda080", "f8808080", "61c0af"})
  void textThatIsNotUtf8IsRefused(String hex) {
    var out = new WireWriter().blob(HexFormat.of().parseHex(hex));
    refused(out, WireReader::text, "text is not UTF-8");
  }

  @Test
  void listsKeepTheirOrderAndMayBeEmpty() {
    var numbers = List.of(3, 1, 2);
    assertThat(reader(new WireWriter().list(numbers, WireWriter::i32)).list(WireReader::i32))
        .isEqualTo(numbers);
    assertThat(
            reader(new WireWriter().list(List.<Integer>of(), WireWriter::i32))
                .list(WireReader::i32))
        .isEmpty();
  }

  @Test
  void aListOfMoreElementsThanBytesAreLeftIsRefused() {
    assertThat(reader(new WireWriter().i32(2).u8(1).u8(2)).list(WireReader::u8))
        .containsExactly(1, 2);
    refused(
        new WireWriter().i32(3).u8(1).u8(2),
        in -> in.list(WireReader::u8),
        "list of 3 elements in 2 bytes");
    refused(new WireWriter().i32(-1), in -> in.list(WireReader::u8), "list of -1 elements");
    refused(
        new WireWriter().i32(Integer.MAX_VALUE).i64(0),
        in -> in.list(WireReader::u8),
        "list of 2147483647 elements in 8 bytes");
  }

  @Test
  void aListOfManyElementsIsReadCompletely() {
    var many = new ArrayList<Integer>();
    for (int i = 0; i < 5000; i++) {
      many.add(i);
    }
    assertThat(reader(new WireWriter().list(many, WireWriter::i32)).list(WireReader::i32))
        .isEqualTo(many);
  }

  @Test
  void aConstantThatWeDoNotKnowIsRefused() {
    refused(new WireWriter().text("HOPE"), in -> in.constant(BufferMode.class), "HOPE");
    refused(
        new WireWriter().text("X".repeat(65)), in -> in.constant(BufferMode.class), "length 65");
  }

  @Test
  void whatIsLeftOverIsCounted() {
    WireReader in = reader(new WireWriter().i32(1).u8(1));
    assertThatThrownBy(in::requireEnd).hasMessage("5 bytes too many");
    assertThat(in.i32()).isEqualTo(1);
    assertThatThrownBy(in::requireEnd).hasMessage("1 bytes too many");
    assertThat(in.u8()).isEqualTo(1);
    in.requireEnd();
    assertThatThrownBy(in::u8).isInstanceOf(BufferUnderflowException.class);
  }

  private static WireReader reader(WireWriter out) {
    return new WireReader(out.written());
  }

  private static String hex(WireWriter out) {
    ByteBuffer written = out.written();
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static void refused(WireWriter out, Consumer<WireReader> read, String message) {
    assertThatThrownBy(() -> read.accept(reader(out)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
