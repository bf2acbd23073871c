package io.eley.bb.api.origin;

import io.eley.bb.api.ReadCause;
import java.nio.ByteBuffer;

/** Lists a directory and reads all its files; for a process with another locale than the tests'. */
final class OddNamesMain {
  private OddNamesMain() {}

  public static void main(String[] directory) throws Exception {
    try (var origin = Origins.open(directory[0], "test")) {
      for (OriginStatus child : origin.list("/")) {
        var target = ByteBuffer.allocate(100);
        try (var file = origin.open(child.path())) {
          file.read(0, target, ReadCause.DEMAND);
        }
        var hex = new StringBuilder();
        child.path().chars().forEach(c -> hex.append(String.format("%04x", c)));
        System.out.println(
            hex + " " + new String(target.array(), 0, target.position(), "US-ASCII"));
      }
    }
  }
}
