package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectiveTest {
  @Test
  void severalLinesAreOneDirectiveAndPathsMayBeRelativeToTheOrigin() throws EleyException {
    var directive =
        Directive.parse(
                List.of(
                    "#!/bin/bash",
                    "#SBATCH -n1",
                    "#BB_LUA pool=eley capacity=64G",
                    "#BB_LUA origin=/mnt/pfs/ stage_in=in/part-[0-9]*",
                    "#BB_LUA stage_out=results",
                    "echo '#BB_LUA nonsense'"))
            .orElseThrow();
    assertThat(directive)
        .isEqualTo(
            new Directive(
                DataSize.parse("64g"),
                "/mnt/pfs/",
                Optional.of("in/part-[0-9]*"),
                Optional.of("/mnt/pfs/results")));
  }

  /** The origin may be named by a link; where that leads only its nodes know. */
  @ParameterizedTest
  @CsvSource({
    "/link, /link/in/part-*, in/part-*",
    "/link/, /link/in, in",
    "/link, /link/, **",
    "/link, link/in, link/in",
    "/, /in/part-0, in/part-0",
  })
  void filesToFetchAreNamedBelowTheOrigin(String origin, String given, String relative)
      throws EleyException {
    String line = "#BB_LUA pool=eley capacity=1G origin=" + origin + " stage_in=" + given;
    assertThat(Directive.parse(List.of(line)).orElseThrow().stageIn()).contains(relative);
  }

  @Test
  void aScriptWithoutOneHasNone() throws EleyException {
    assertThat(Directive.parse(List.of("#!/bin/bash", "# BB_LUA pool=x", "#BB_LUAx"))).isEmpty();
  }

  /** As burst_buffer.lua reads it, with which the fuzzer compares. */
  @Test
  void aScriptIsReadAsLuaReadsIt(@TempDir Path temp) throws IOException {
    Path script = temp.resolve("job.sh");
    byte[] latin = {'#', ' ', (byte) 0xe4, '\n'};
    Files.write(script, latin);
    assertThat(Directive.read(script)).isEmpty();
    Files.writeString(script, "echo\r#BB_LUA nonsense\n");
    assertThat(Directive.read(script)).isEmpty();
    Files.writeString(script, "#BB_LUA pool=eley capacity=1G\r\n#BB_LUA origin=/mnt\r\n");
    assertThat(Directive.read(script)).isPresent();
    for (String odd : List.of("\u2028", "\u0085", "\u001c")) {
      Files.writeString(script, "#BB_LUA pool=eley" + odd + " capacity=1G origin=/mnt\n");
      assertThatThrownBy(() -> Directive.read(script))
          .hasMessage("#BB_LUA: pool=eley is missing, or another pool is named");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pool=eley capacity=1G origin=/mnt stagein=x | no option 'stagein=x'",
        "pool=eley capacity=1G origin=/mnt word | no option 'word'",
        "pool=eley capacity=1G capacity=2G origin=/mnt | capacity is given twice",
        "capacity=1G origin=/mnt | pool=eley is missing",
        "pool=eley capacity=1000000G origin=/mnt | capacity=1000000G is no size",
        "pool=eley capacity=1g origin=/mnt | capacity=1g is no size",
        "pool=eley capacity=1G origin=mnt | origin=mnt is no absolute path",
        "pool=eley capacity=1G origin=/mnt/../etc | must not go up",
        "pool=eley capacity=1G origin=/mnt stage_in=$(reboot) | characters that are not allowed",
        "pool=eley capacity=1G origin=/mnt stage_out=/mntx/y | is not below the origin /mnt",
      })
  void whatMakesNoSenseIsSaidInOneLine(String options, String complaint) {
    assertThatThrownBy(() -> Directive.parse(List.of("#BB_LUA " + options)))
        .isInstanceOf(EleyException.class)
        .hasMessageStartingWith("#BB_LUA: ")
        .hasMessageContaining(complaint);
  }

  @Test
  void aBufferIsCutIntoAsManyNodesAsItHasHosts() throws EleyException {
    var directive =
        Directive.parse(List.of("#BB_LUA pool=eley capacity=10G origin=/mnt stage_out=o"))
            .orElseThrow();
    var script =
        new BufferScript(
            7,
            directive,
            3,
            Path.of("/opt/eley"),
            Path.of("/home/a/.eley/bb"),
            ScriptedSlurm.USUAL);
    assertThat(script.memoryOfANode()).isEqualTo(DataSize.ofMebibytes(3414));
    assertThat(script.mebibytesOfAHost()).isEqualTo(2 * 3414);
    assertThat(script.environment())
        .containsEntry("ELEY_DEPLOYMENT", "/home/a/.eley/bb/7/deployment")
        .containsEntry("ELEY_STAGE_OUT", "/mnt/o/.eley-7");
    assertThat(script.text())
        .contains("MAIN_JOB=7\n", "BUFFER_NODES=3\n", "STAGE_OUT=/mnt/o\n", "steps() {")
        .contains("NODE_HEAP=512m\n", "COORDINATOR_HEAP=256m\n")
        .doesNotContain("#@");
  }
}
