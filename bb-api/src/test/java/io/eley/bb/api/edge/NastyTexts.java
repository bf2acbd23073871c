package io.eley.bb.api.edge;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Texts by which somebody would like to write a line that is not theirs. */
final class NastyTexts {
  private static final List<String> PIECES =
      List.of(
          "\n",
          "\r",
          "\r\n",
          "\u0000",
          "\u001b[2J",
          "\u0085",
          "\u2028",
          "\u2029",
          "\u202e",
          "\u2066",
          "\u200f",
          "\ufeff",
          "\ud800",
          "\udc00",
          "\t",
          "\u007f",
          "\u009b31m",
          "=1+1",
          "@x",
          "'",
          "\"",
          ",",
          "<b>",
          "\\n",
          "ü",
          "数",
          "\ud83d\ude00",
          "a",
          " ",
          "|",
          "eley: ");

  private NastyTexts() {}

  static Stream<String> some(long seed, int count) {
    var random = new Random(seed);
    return Stream.generate(() -> one(random)).limit(count);
  }

  private static String one(Random random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) {
      text.append(
          random.nextInt(4) == 0
              ? Character.toString(random.nextInt(0x3000))
              : PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }
}
