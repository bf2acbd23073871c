package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.system.tutorials.Terminal;
import io.eley.system.tutorials.Tutorial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What docs/tutorials has an administrator and three users type on a Slurm of a site, typed here in
 * the same order, and what it says that they see.
 */
@Timeout(1200)
class TutorialsTest extends SlurmSite {
  private static final User MAN = new User("man", "6");
  private static final Map<String, User> USERS = Map.of("ada", NOBODY, "ben", GAMES, "cleo", MAN);

  /** These only look: what they show may take a while to come. */
  private static final String LOOKS =
      "(?s)(cat|tail|squeue|(\\S+/)?eley (status|why|apps|jobs|ledger|summary)).*";

  private final Map<String, Terminal> terminals = new HashMap<>();

  /** What the pages call the site's places, and where these are. */
  private final Map<String, String> places = new LinkedHashMap<>();

  /** What the last command said; written by the thread that waits for it. */
  private volatile List<String> printed = List.of();

  private void site() throws Exception {
    Path home = Files.createDirectory(home(MAN));
    run("chmod", "700", home.toString());
    run("chown", MAN.id() + ":" + MAN.id(), home.toString());
    for (String directory : List.of("opt", "run", "root", "shared")) {
      open(Files.createDirectory(base.resolve(directory)));
    }
    try (Stream<Path> files =
        Files.list(Path.of(System.getProperty("eley.root"), "deploy/target"))) {
      Path archive =
          files
              .filter(f -> f.toString().endsWith(".tar.gz") && !f.toString().contains("-demo"))
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(
          base.resolve("root").resolve(archive.getFileName()), archive.toAbsolutePath());
    }
    places.put("/mnt/pfs", origin.toString());
    places.put("/shared/spark", site.resolve("spark").toString());
    places.put("/shared/workloads.jar", site.resolve("workloads.jar").toString());
    places.put("/shared/eley-board", base.resolve("shared/eley-board").toString());
    places.put("/opt/eley", base.resolve("opt/eley").toString());
    places.put("/run/", base.resolve("run") + "/");
    // Cleo's job, as long as a busy machine may take to look at it.
    places.put("seq 150", "seq 450");
    USERS.forEach((name, user) -> places.put("/home/" + name, home(user).toString()));
  }

  private Terminal terminal(String name) {
    return terminals.computeIfAbsent(name, this::open);
  }

  private Terminal open(String name) {
    User user = USERS.get(name);
    var as = new ArrayList<String>();
    var environment = new HashMap<>(slurm.environment());
    Path home = base.resolve("root");
    if (user != null) {
      home = home(user);
      as.addAll(
          List.of("setpriv", "--reuid=" + user.id(), "--regid=" + user.id(), "--clear-groups"));
    }
    environment.put("HOME", home.toString());
    environment.put("TMPDIR", "/tmp");
    try {
      return new Terminal(as, home.toFile(), environment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String here(String text) {
    String translated = text;
    for (var place : places.entrySet()) {
      translated = translated.replace(place.getKey(), place.getValue());
    }
    return translated;
  }

  private String onThePage(String line) {
    String translated = line;
    for (var place : places.entrySet()) {
      translated = translated.replace(place.getValue(), place.getKey());
    }
    return translated;
  }

  private void type(Tutorial tutorial, Tutorial.Step step) throws Exception {
    String command = here(tutorial.command(step));
    boolean looks = step.command().matches(LOOKS);
    try {
      slurm.await(
          () -> {
            var lines = terminal(step.user()).run(command);
            printed = lines.stream().map(this::onThePage).toList();
            return !looks || tutorial.matches(step, printed);
          },
          "the answer does not come");
    } catch (IllegalStateException e) {
      throw new AssertionError(step + " is answered by " + printed, e);
    } finally {
      System.out.println(step.user() + "$ " + tutorial.command(step));
      printed.forEach(System.out::println);
    }
    assertThat(tutorial.matches(step, printed)).as("%s: %s", step, printed).isTrue();
  }

  private void follow(String page) throws Exception {
    var tutorial = new Tutorial(Path.of(System.getProperty("eley.root"), "docs/tutorials", page));
    for (Tutorial.Step step : tutorial.steps()) {
      type(tutorial, step);
    }
  }

  @Test
  void theAdministratorsPathAndThenTheUsers() throws Exception {
    site();
    try {
      follow("slurm-administrator.md");
      follow("slurm-user.md");
    } finally {
      for (Terminal terminal : terminals.values()) {
        terminal.close();
      }
    }
  }
}
