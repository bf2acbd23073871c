package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.cli.render.Entries;
import io.eley.coordinator.ledger.LedgerFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerCommandTest {
  @TempDir private Path temp;

  @BeforeEach
  void threePhases() throws Exception {
    var text = new StringBuilder();
    LedgerFile.print(
        List.of(Entries.known("climate"), Entries.unknown("model"), Entries.known("climate")),
        text);
    Files.writeString(new DeploymentFiles(temp).ledger(), text);
  }

  private Eley ledger(String... more) {
    var all = new ArrayList<>(List.of("ledger", "-d", temp.toString()));
    all.addAll(List.of(more));
    return Eley.run(all.toArray(String[]::new));
  }

  @Test
  void aTableByDefault() {
    Eley run = ledger();
    assertThat(run.code()).isZero();
    assertThat(run.lines()).hasSize(1 + 3);
  }

  @Test
  void onlyOneApplicationAndOnlyTheLast() {
    assertThat(ledger("--app", "climate").lines()).hasSize(1 + 2);
    assertThat(ledger("--last", "2").lines()).hasSize(1 + 2).anyMatch(l -> l.contains("model"));
    assertThat(ledger("--app", "climate", "--last", "1").lines()).hasSize(1 + 1);
    assertThat(ledger("--last", "99").lines()).hasSize(1 + 3);
    assertThat(ledger("--last", "-1").code()).isEqualTo(2);
    assertThat(ledger("--app", "nobody").lines()).containsExactly("no phase yet");
  }

  @Test
  void otherFormatsInWhateverCase() throws Exception {
    assertThat(ledger("--format", "csv").out())
        .isEqualTo(Files.readString(new DeploymentFiles(temp).ledger()));
    assertThat(ledger("--format", "JSON").out()).startsWith("[ {").contains("\"slowdown\"");
    Eley wrong = ledger("--format", "xml");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("table, csv, json");
  }

  @Test
  void aPageInAFile() {
    Path page = temp.resolve("page.html");
    assertThat(ledger("--html", page.toString()).lines()).containsExactly(page + ": 3 phases");
    assertThat(page).content().contains("climate");
    Eley nowhere = ledger("--html", temp.resolve("none/page.html").toString());
    assertThat(nowhere.code()).isEqualTo(1);
    assertThat(nowhere.err()).startsWith("eley: cannot write: ");
  }

  @Test
  void aDirectoryThatIsNoneAndOneWithoutPhases() throws Exception {
    Files.delete(new DeploymentFiles(temp).ledger());
    assertThat(ledger().lines()).containsExactly("no phase yet");
    Files.delete(temp);
    assertThat(ledger().err())
        .isEqualTo("eley: no deployment in " + temp + ": there is no ledger\n");
    Files.createDirectory(temp);
  }

  @Test
  void aLedgerThatCannotBeReadIsSaid() throws Exception {
    Path file = new DeploymentFiles(temp).ledger();
    Files.delete(file);
    Files.createDirectory(file);
    assertThat(ledger().code()).isEqualTo(1);
    assertThat(ledger().err()).startsWith("eley: cannot read the ledger in " + temp);
  }
}
