package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.client.BbFile;
import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A job's process: it reads when it is told to, and prints what came of it. */
final class StarvedJob implements AutoCloseable {
  private static final char WHOLE = 'w';
  private static final char PARTS = 'p';
  private static final char ANOTHER = 'a';
  private static final List<ByteRange> HALVES =
      List.of(
          new ByteRange(0, StarvedDeployment.LENGTH / 2),
          new ByteRange(StarvedDeployment.LENGTH / 2, StarvedDeployment.LENGTH / 2));

  /** A node that the machine lets stand still is not gone past: what that takes it may not have. */
  private static final Map<String, String> PATIENT =
      Map.of(ClientKeys.SILENCE.name(), "20s", ClientKeys.CONNECT_TIMEOUT.name(), "20s");

  private final StarvedDeployment deployment;
  private final Path complaints;
  private final Process process;
  private final BufferedReader said;

  /** Starts it and waits until it has read one file. */
  StarvedJob(StarvedDeployment deployment) throws IOException {
    this.deployment = deployment;
    var command =
        Program.ofThisJvm(StarvedJob.class.getName())
            .command(deployment.files().directory().toString(), 128, List.of());
    complaints = deployment.files().log("job");
    process = new ProcessBuilder(command).redirectError(complaints.toFile()).start();
    said = process.inputReader();
    assertThat(answer()).isEqualTo("ready");
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  /** Lets it read all files by the client that it has, whole or each in two parts at once. */
  void requireRightBytes(boolean inParts) throws IOException {
    tell(inParts ? PARTS : WHOLE);
    for (int i = 0; i < StarvedDeployment.FILES; i++) {
      assertThat(answer()).isEqualTo(digest(deployment.content(i)));
    }
  }

  /**
   * Lets it open another client, and says what comes of it: how long a file is that it opens, or
   * why it cannot.
   */
  String openAnother() throws IOException {
    tell(ANOTHER);
    return answer();
  }

  /** The next line that it prints, but for those of the log. */
  private String answer() throws IOException {
    String line;
    do {
      line = said.readLine();
      if (line == null) {
        throw new AssertionError("the job has ended: " + Files.readString(complaints));
      }
    } while (line.contains(" WARN ") || line.contains(" INFO "));
    return line;
  }

  private void tell(char what) throws IOException {
    process.outputWriter().append(what).flush();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    said.close();
  }

  /** The job. */
  public static void main(String[] arguments) throws Exception {
    HungryProcesses.loadClasses();
    var settings = new HashMap<>(PATIENT);
    settings.put(ClientKeys.DEPLOYMENT.name(), arguments[0]);
    var options = ClientOptions.from(Settings.of(settings));
    try (var client = EleyClient.open(options)) {
      String unused = whole(client, 0);
      System.out.println("ready");
      int told = System.in.read();
      for (int i = 0; i < StarvedDeployment.FILES && told >= 0; i++) {
        System.out.println(told == PARTS ? inParts(client, i) : whole(client, i));
      }
      if (System.in.read() != ANOTHER) {
        return;
      }
      try (var other = EleyClient.open(options);
          var file = other.openFile("/f0")) {
        System.out.println("opened " + file.status().length());
      } catch (EleyException e) {
        System.out.println(e.code() + " " + e.getMessage());
      }
    }
  }

  private static String whole(EleyClient client, int file) throws EleyException {
    try (BbFile open = client.openFile("/f" + file)) {
      var read = new byte[StarvedDeployment.LENGTH];
      open.readFully(0, ByteBuffer.wrap(read));
      return digest(read);
    }
  }

  private static String inParts(EleyClient client, int file) throws EleyException {
    try (BbFile open = client.openFile("/f" + file)) {
      var read = new byte[StarvedDeployment.LENGTH];
      ByteBuffer target = ByteBuffer.wrap(read);
      open.readVectored(HALVES, ByteBuffer::allocate).forEach(part -> target.put(part.join()));
      return digest(read);
    }
  }

  private static String digest(byte[] bytes) {
    return Integer.toString(Arrays.hashCode(bytes));
  }
}
