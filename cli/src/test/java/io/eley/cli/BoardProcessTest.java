package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.process.JavaCommand;
import io.eley.bb.api.wire.BoardMessage.AskBoard;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A board of root's and coordinators of two other users, each a process of its own; Slurm is a
 * script. Needs root, to become daemon and nobody.
 */
@Tag("system")
@Timeout(240)
class BoardProcessTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String NO_JOBS = "{\"jobs\":[]}";
  private static final String PHASE_OF_DAEMONS =
      "{\"jobs\":[{\"job_id\":7,\"name\":\"climate\",\"user_name\":\"daemon\","
          + "\"job_state\":\"RUNNING\",\"comment\":\"phase=io\"}]}";

  @TempDir private Path temp;
  private final List<Process> processes = new ArrayList<>();
  private String classPath = "";
  private Process board;

  /** Another user of this machine, with a coordinator. */
  private enum User {
    DAEMON(1),
    NOBODY(65534);

    private final int number;

    User(int number) {
      this.number = number;
    }
  }

  @BeforeEach
  void start() throws Exception {
    assumeTrue(OwnPaths.user() == 0, "only root can become another user");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv(1) here");
    mode(temp, "rwxr-xr-x");
    mode(Files.createDirectory(temp.resolve("origin")), "rwxr-xr-x");
    classPath = readableClassPath();
    Path bin = Files.createDirectory(temp.resolve("bin"));
    script(bin.resolve("squeue"), "cat " + temp.resolve("jobs"));
    script(bin.resolve("sstat"), "true");
    jobs(NO_JOBS);
    board = board();
    for (User user : User.values()) {
      Path home = Files.createDirectory(home(user));
      run(List.of("chown", user.number + ":" + user.number, home.toString()));
      coordinator(user);
    }
    for (User user : User.values()) {
      await().atMost(LONG).until(() -> status(user).contains("board"));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (Process each : processes) {
      run(List.of("kill", "-CONT", Long.toString(each.pid())), true);
      each.destroy();
    }
    for (Process each : processes) {
      if (!each.waitFor(30, TimeUnit.SECONDS)) {
        each.destroyForcibly().waitFor();
      }
    }
  }

  /** Others cannot read ours. */
  private String readableClassPath() throws Exception {
    Path all = Files.createDirectory(temp.resolve("lib"));
    var entries = new ArrayList<String>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (Files.exists(Path.of(entry))) {
        Path copy = all.resolve(entries.size() + "-" + Path.of(entry).getFileName());
        run(List.of("cp", "-rL", entry, copy.toString()));
        entries.add(copy.toString());
      }
    }
    run(List.of("chmod", "-R", "a+rX", all.toString()));
    return String.join(File.pathSeparator, entries);
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static void script(Path file, String command) throws IOException {
    mode(Files.writeString(file, "#!/bin/sh\n" + command + "\n"), "rwxr-xr-x");
  }

  private void jobs(String json) throws IOException {
    Path next = Files.writeString(temp.resolve("jobs.new"), json);
    Files.move(next, temp.resolve("jobs"), StandardCopyOption.REPLACE_EXISTING);
  }

  private Path home(User user) {
    return temp.resolve(user.name());
  }

  private Path published(String name) {
    return temp.resolve("board").resolve(name);
  }

  private Process board() throws IOException {
    return process(
        "board",
        List.of(),
        List.of(
            "board",
            "--publish",
            temp.resolve("board").toString(),
            "--origin",
            temp.resolve("origin").toString(),
            "--slurm",
            "--host",
            "127.0.0.1",
            "-D",
            "eley.signal.slurm.queue-interval=100ms",
            "-D",
            "eley.signal.slurm.interval=100ms",
            "-D",
            "eley.network.handshake-deadline=60s"));
  }

  private void coordinator(User user) throws IOException {
    process(
        user.name(),
        as(user),
        List.of(
            "coordinator",
            "-D",
            "eley.coordinator.directory=" + home(user).resolve("deployment"),
            "-D",
            "eley.coordinator.origin=" + temp.resolve("origin"),
            "-D",
            "eley.coordinator.listen-host=127.0.0.1",
            "-D",
            "eley.http=false",
            "-D",
            "eley.signal.reads=false",
            "-D",
            "eley.signal.board=" + temp.resolve("board")));
  }

  private static List<String> as(User user) {
    return List.of("setpriv", "--reuid=" + user.number, "--regid=" + user.number, "--clear-groups");
  }

  private List<String> eley(List<String> before, List<String> words) {
    var command = new ArrayList<>(before);
    command.addAll(
        JavaCommand.ofThisJvm()
            .heap("128m")
            .serialCollector()
            .quickStart()
            .classPath(List.of(classPath))
            .run(Main.class.getName(), words));
    return command;
  }

  private Process process(String name, List<String> before, List<String> words) throws IOException {
    var builder = new ProcessBuilder(eley(before, words)).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(temp.resolve(name + ".log").toFile()));
    String path = builder.environment().getOrDefault("PATH", "/usr/bin:/bin");
    builder.environment().put("PATH", temp.resolve("bin") + ":" + path);
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private String log(User user) throws IOException {
    return Files.readString(temp.resolve(user.name() + ".log"));
  }

  private String status(User user) throws Exception {
    return run(
        eley(as(user), List.of("status", "-d", home(user).resolve("deployment").toString())), true);
  }

  private static String run(List<String> command) throws Exception {
    return run(command, false);
  }

  private static String run(List<String> command, boolean mayFail) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    if (!mayFail) {
      assertThat(code).as(printed).isZero();
    }
    return printed.strip();
  }

  private Connection connect(String key, Secret secret) throws Exception {
    String[] address = Files.readString(published("address")).strip().split(":", -1);
    return Connection.open(
        new InetSocketAddress(address[0], Integer.parseInt(address[1])),
        new Credentials(secret, Identity.CLIENT, NetworkProtection.AUTO, key),
        new ConnectionOptions("stranger", Duration.ofSeconds(10), Identity.BOARD),
        PushHandler.IGNORE);
  }

  private void refused(String key, Secret secret) {
    assertThatThrownBy(() -> connect(key, secret))
        .as(key)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
  }

  private List<String> keys() throws IOException {
    try (var tokens = Files.list(published("tokens"))) {
      return tokens.map(token -> token.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void eachUserSeesNamesOfHisOwnJobsAndNobodyIsTakenForAnother() throws Exception {
    jobs(PHASE_OF_DAEMONS);
    await()
        .atMost(LONG)
        .until(
            () ->
                log(User.DAEMON).contains("climate@daemon#7 is in a phase (board)")
                    && log(User.NOBODY).contains("somebody is in a phase (board)"));
    jobs(NO_JOBS);
    for (User user : User.values()) {
      await().atMost(LONG).until(() -> log(user).contains("'s phase is over after"));
      assertThat(log(user)).as("no defect").doesNotContain("ERROR");
    }
    assertThat(log(User.NOBODY)).doesNotContain("climate");

    assertThat(keys()).hasSize(2);
    String daemons = keys().get(0);
    assertThat(daemons).startsWith("1-");
    refused(daemons, Secret.random());
    refused("", Secret.random());
    refused("65534-" + "0".repeat(32), Secret.random());
    // A token that nobody has made in daemon's name.
    String claimed = "1-" + "0".repeat(32);
    String hex = "ab".repeat(32);
    var make = new ArrayList<>(as(User.NOBODY));
    make.addAll(
        List.of("sh", "-c", "umask 077; echo " + hex + " >" + published("tokens/" + claimed)));
    run(make);
    refused(claimed, Secret.ofHex(hex));
    // And one of his own, by which he gets in, and no further than a question about his origin.
    String own = "65534-" + "0".repeat(32);
    make.set(make.size() - 1, make.get(make.size() - 1).replace(claimed, own));
    run(make);
    try (var nobody = connect(own, Secret.ofHex(hex))) {
      assertThatThrownBy(() -> nobody.call(new AskBoard(0, 0, "another"), Duration.ofSeconds(10)))
          .hasMessageContaining("the board watches");
    }
    var list = new ArrayList<>(as(User.NOBODY));
    list.addAll(List.of("ls", published("tokens").toString()));
    assertThat(run(list, true)).as("names of others' tokens").contains("ermission denied");
  }

  @Test
  void deploymentsOutliveABoardThatIsFrozenKilledAndStopped() throws Exception {
    run(List.of("kill", "-STOP", Long.toString(board.pid())));
    for (User user : User.values()) {
      await().atMost(LONG).until(() -> log(user).contains("board cannot be read"));
      await().atMost(LONG).until(() -> status(user).matches("(?s).*board\\s+lost.*"));
    }
    run(List.of("kill", "-CONT", Long.toString(board.pid())));
    await().atMost(LONG).until(() -> log(User.DAEMON).contains("board speaks again"));

    board.destroyForcibly().waitFor();
    await().atMost(LONG).until(() -> status(User.DAEMON).matches("(?s).*board\\s+lost.*"));
    await().atMost(LONG).until(() -> status(User.DAEMON).contains("no source sees phases"));
    board = board();
    jobs(PHASE_OF_DAEMONS);
    await().atMost(LONG).until(() -> log(User.NOBODY).contains("somebody is in a phase (board)"));

    board.destroy();
    assertThat(board.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(published("address")).as("taken away by a TERM").doesNotExist();
    for (Process each : processes.subList(1, 3)) {
      assertThat(each.isAlive()).as("coordinators").isTrue();
      each.destroy();
      assertThat(each.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(keys()).as("tokens of who has ended").isEmpty();
  }
}
