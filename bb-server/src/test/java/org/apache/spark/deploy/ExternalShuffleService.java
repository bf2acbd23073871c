package org.apache.spark.deploy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/**
 * In the place of Spark's, for tests that need no Spark: listens where it is told, writes down how
 * it was started, and knows no end of its own. With {@code fail} beside its directory it does not
 * come up, with {@code chatty} it has much to say before; with {@code hungry} whoever connects has
 * it run out of memory on a thread of its own.
 */
public final class ExternalShuffleService {
  private ExternalShuffleService() {}

  public static void main(String[] args) throws IOException {
    var directory = Path.of(System.getenv("SPARK_LOCAL_DIRS"));
    if (Files.exists(directory.resolveSibling("fail"))) {
      throw new NoClassDefFoundError("told/to/Fail");
    }
    if (Files.exists(directory.resolveSibling("chatty"))) {
      IntStream.range(0, 50_000).forEach(i -> System.err.println("warning " + i));
    }
    Files.writeString(
        directory.resolve("seen"),
        String.join(
            "\n",
            Long.toString(ProcessHandle.current().pid()),
            String.valueOf(System.getenv("_SPARK_AUTH_SECRET")),
            String.valueOf(System.getProperty("spark.authenticate")),
            String.valueOf(System.getProperty("spark.other"))));
    int port = Integer.getInteger("spark.shuffle.service.port");
    try (var socket = new ServerSocket(port)) {
      while (true) {
        socket.accept().close();
        if (Files.exists(directory.resolveSibling("hungry"))) {
          new Thread(ExternalShuffleService::eat).start();
        }
      }
    }
  }

  private static void eat() {
    Object[] all = {};
    while (true) {
      all = new Object[] {all, new byte[1 << 20]};
    }
  }
}
