package io.eley.origin.hadoop;

import io.eley.bb.api.origin.Origins;
import java.nio.charset.StandardCharsets;

/** A program that ends with a file still open for writing. */
final class LeavesStreamOpenMain {
  private LeavesStreamOpenMain() {}

  /**
   * Writes {@code told} to the file.
   *
   * @param args an origin, and the name of a file that is not there
   */
  public static void main(String[] args) throws Exception {
    Origins.open(args[0], "test")
        .create(args[1], false)
        .write("told".getBytes(StandardCharsets.UTF_8));
    System.exit(0); // clients of HDFS have threads
  }
}
