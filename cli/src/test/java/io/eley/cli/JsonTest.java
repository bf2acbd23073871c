package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.cli.bench.GainVerdict;
import io.eley.cli.bench.Rate;
import io.eley.cli.render.Entries;
import io.eley.cli.render.Json;
import io.eley.coordinator.CoordinatorServer;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.scheduler.hooks.job.UserJob;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What every verb that shows something prints for programs, of a coordinator that runs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JsonTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern ROW =
      Pattern.compile("\\| `(?<verb>[a-zA-Z ]+)`( `(?<list>\\w+)`)? \\| (?<fields>`.*) \\|");
  private static final Pattern FIELD = Pattern.compile("`(\\w+)`(\\??)");

  @TempDir static Path temp;

  private CoordinatorServer coordinator;

  @BeforeAll
  void start() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    Files.writeString(Files.createDirectory(origin.resolve("in")).resolve("part-0"), "text");
    Path directory = Files.createDirectory(temp.resolve("deployment"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    var ledger = new StringBuilder();
    LedgerFile.print(List.of(Entries.known("climate"), Entries.unknown("model")), ledger);
    Files.writeString(new DeploymentFiles(directory).ledger(), ledger);
    Path logs = Files.createDirectory(new DeploymentFiles(directory).logs());
    Files.writeString(logs.resolve("coordinator.log"), "it runs");
    coordinator =
        CoordinatorServer.start(
            CoordinatorOptions.of(
                directory,
                origin.toString(),
                BufferMode.FULL_DELAY,
                new BlockGeometry(1 << 20, 1 << 20),
                "127.0.0.1"));
  }

  @AfterAll
  void stop() {
    coordinator.close();
  }

  private static JsonNode document(Eley run) throws Exception {
    assertThat(run.err()).isEmpty();
    JsonNode document = MAPPER.readTree(run.out());
    assertThat(document.fieldNames().next()).isEqualTo("version");
    assertThat(document.get("version").asInt()).isEqualTo(1);
    return document;
  }

  /** The rows of docs/json.md: a verb, or a verb and a list in its document, and their fields. */
  static Stream<Arguments> documented() throws Exception {
    return Files.readAllLines(Path.of("..", "docs", "json.md")).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(
            row ->
                Arguments.of(
                    row.group("verb"),
                    Objects.requireNonNullElse(row.group("list"), ""),
                    row.group("fields")));
  }

  @ParameterizedTest
  @MethodSource("documented")
  void theFieldsAreThoseOfThePage(String verb, String list, String fields) throws Exception {
    JsonNode shown = document(shown(verb));
    if (!list.isEmpty()) {
      assertThat(shown.get(list)).isNotEmpty();
      for (JsonNode each : shown.get(list)) {
        assertFields(each, "", fields);
      }
    } else {
      assertFields(shown, "`version` ", fields);
    }
  }

  /** The fields that must be there are, in the page's order, and none that the page has not. */
  private static void assertFields(JsonNode shown, String before, String fields) {
    var names = new ArrayList<String>();
    FIELD
        .matcher(before + fields)
        .results()
        .filter(field -> field.group(2).isEmpty() || shown.has(field.group(1)))
        .forEach(field -> names.add(field.group(1)));
    assertThat(shown.fieldNames()).toIterable().containsExactlyElementsOf(names);
  }

  @Test
  void thePageHasEveryVerbThatHasTheOption() throws Exception {
    assertThat(documented().map(row -> row.get()[0].toString().replace(" TARGET", "")).distinct())
        .containsExactlyInAnyOrderElementsOf(verbsWithTheOption());
  }

  /** What a verb prints, of the deployment that runs here. */
  private Eley shown(String verb) throws Exception {
    return switch (verb) {
      // These need a Slurm and a minute: what they hand over is printed here.
      case "jobs" ->
          printed(
              "jobs", List.of(new UserJob(42, "42", "sort", "RUNNING", "1:00", "buffer is there")));
      case "bench" -> {
        var rate = new Rate(1 << 20, 1, 1);
        yield printed("bench", new GainVerdict(rate, rate, rate, rate, rate, rate, true));
      }
      case "config" -> Eley.run("config", "--json");
      case "slurm status" -> Eley.run("slurm", "status", "--json", "--state", temp.toString());
      case "why TARGET" -> ofTheDeployment("why /in/part-0");
      case "advise" -> ofTheDeployment("advise climate");
      case "doctor" -> ofTheDeployment("doctor --origin /tmp");
      default -> ofTheDeployment(verb);
    };
  }

  private static Eley ofTheDeployment(String line) {
    var words = new ArrayList<>(List.of(line.split(" ", -1)));
    words.addAll(List.of("--json", "-d", temp.resolve("deployment").toString()));
    return Eley.run(words.toArray(String[]::new));
  }

  private static Eley printed(String name, Object value) {
    return new Eley(0, Json.document(name, value), "");
  }

  @Test
  void whyKnowsWhichPathsAreFiles() {
    String directory = temp.resolve("deployment").toString();
    assertThat(Eley.run("why", "/in/none", "-d", directory).err()).contains("/in/none");
    assertThat(Eley.run("why", "/in/none", "-d", directory).code()).isEqualTo(1);
    assertThat(Eley.run("why", "/in", "-d", directory).err()).contains("/in is a directory");
    for (String same :
        List.of("/in/part-0", temp + "/origin/in/part-0", "bb:///in/part-0", "/in/part-0@2")) {
      assertThat(Eley.run("why", same, "-d", directory).out())
          .startsWith("no live stage has a task that reads ")
          .contains("/in/part-0");
    }
    assertThat(Eley.run("why", "nobody", "-d", directory).out()).contains("there is none now");
  }

  @Test
  void verbsAboutNoDeployment() throws Exception {
    assertThat(document(Eley.run("config", "--json")).get("keys")).hasSizeGreaterThan(80);
    assertThat(
            document(Eley.run("slurm", "status", "--json", "--state", temp.toString()))
                .get("buffers"))
        .isEmpty();
  }

  @Test
  void modesAndNumbersAreAsPeopleWriteThem() throws Exception {
    String directory = temp.resolve("deployment").toString();
    JsonNode status = document(Eley.run("status", "--json", "-d", directory));
    assertThat(status.get("mode").asText()).isEqualTo("FullDelay");
    assertThat(status.at("/permits/open").asInt()).isZero();
    JsonNode ledger = document(Eley.run("ledger", "--json", "-d", directory));
    assertThat(ledger.get("phases")).hasSize(2);
    assertThat(ledger.at("/phases/0/application").asText()).isEqualTo("climate");
  }

  private static List<String> verbsWithTheOption() {
    return VerbsTest.commands()
        .filter(typed -> VerbsTest.spec(typed).findOption("--json") != null)
        .map(typed -> String.join(" ", typed))
        .toList();
  }

  /** Holds the option, as a verb does. */
  private static final class Verb {
    @CommandLine.Mixin private WatchOption watch = new WatchOption();
  }

  @Test
  void aWatchEndsWithWhoReadsIt() throws Exception {
    var verb = new Verb();
    Typed.on(new CommandLine(verb)).parseArgs("--watch", "7s");
    var out = new PrintWriter(new ClosedPipe());
    var looks = new ArrayList<Integer>();
    verb.watch.look(
        out,
        () -> {
          out.println("look");
          looks.add(looks.size());
        },
        time -> {
          throw new AssertionError("it goes on");
        },
        false);
    assertThat(looks).hasSize(1);
  }

  @Test
  void aWatchLooksAgainUntilItIsEnded() {
    var verb = new Verb();
    Typed.on(new CommandLine(verb)).parseArgs("--watch", "7s");
    var out = new StringWriter();
    var looks = new ArrayList<Integer>();
    assertThatThrownBy(
            () ->
                verb.watch.look(
                    new PrintWriter(out),
                    () -> looks.add(looks.size()),
                    time -> {
                      assertThat(time).hasSeconds(7);
                      if (looks.size() == 3) {
                        throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted");
                      }
                    },
                    false))
        .hasMessage("interrupted");
    assertThat(looks).hasSize(3);
    assertThat(out.toString().lines()).hasSize(2).allMatch(String::isEmpty);
  }
}
