package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.local.deployment.DeploymentPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StartOptionsTest {
  private static final String NEIGHBOURS = System.getProperty("user.home") + "/.eley/neighbours";

  private final List<String> warnings = new ArrayList<>();
  private @Nullable String usualSparkHome;

  private DeploymentPlan plan(String... arguments) {
    return parsed(arguments).plan(warnings::add, usualSparkHome);
  }

  private static StartOptions parsed(String... arguments) {
    return parsed(Map.of(), arguments);
  }

  /** With what eley.conf says. */
  private static StartOptions parsed(Map<String, String> defaults, String... arguments) {
    var options = new StartOptions();
    new CommandLine(CommandLine.Model.CommandSpec.create().addMixin("options", mixin(options)))
        .setDefaultValueProvider(new OptionDefaults(defaults))
        .parseArgs(arguments);
    return options;
  }

  private static CommandLine.Model.CommandSpec mixin(StartOptions options) {
    return CommandLine.Model.CommandSpec.forAnnotatedObject(options);
  }

  @Test
  void defaultsAreTwoNodesOfAGigabyteOnThisMachine() {
    assertThat(plan("--origin", "/mnt/pfs"))
        .isEqualTo(
            new DeploymentPlan(
                "/mnt/pfs",
                2,
                DataSize.parse("1g"),
                BufferMode.FULL_DELAY,
                BlockGeometry.DEFAULT,
                Path.of("/dev/shm"),
                "127.0.0.1",
                0,
                Map.of("eley.signal.neighbours", NEIGHBOURS)));
  }

  @Test
  void theUsualSparkTakesIntermediateDataUnlessAnotherOrNoneIsSaid(@TempDir Path temp)
      throws Exception {
    Path usual = Files.createDirectories(temp.resolve("usual/jars")).getParent();
    Path other = Files.createDirectories(temp.resolve("other/jars")).getParent();
    usualSparkHome = usual + "";
    assertThat(plan("--origin=/x").settings()).containsEntry("eley.node.spark-home", usual + "");
    assertThat(plan("--origin=/x", "--spark-home=" + other).settings())
        .containsEntry("eley.node.spark-home", other + "");
    assertThat(plan("--origin=/x", "-D", "eley.node.spark-home=/y").settings())
        .containsEntry("eley.node.spark-home", "/y");
    assertThat(plan("--origin=/x", "--no-scratch").settings())
        .doesNotContainKey("eley.node.spark-home");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("--origin=/x", "--spark-home=" + temp))
        .withMessageContaining("it has no jars");

    usualSparkHome = temp + "";
    warnings.clear();
    assertThat(plan("--origin=/x").settings()).doesNotContainKey("eley.node.spark-home");
    assertThat(warnings).singleElement().asString().contains("has no jars");
  }

  @Test
  void whoNamesNoSparkIsToldWhoKeepsIntermediateData() {
    assertThat(remark("--origin=/x"))
        .contains("SPARK_HOME is not set: Spark keeps its intermediate data itself");
    assertThat(remark("--origin=/x", "--no-scratch")).isEmpty();
    assertThat(remark("--origin=/x", "-D", "eley.node.spark-home=/y")).isEmpty();
    usualSparkHome = "/none";
    assertThat(remark("--origin=/x")).as("it was said that there is none").isEmpty();
    assertThat(warnings).hasSize(1);
  }

  private Optional<String> remark(String... arguments) {
    StartOptions options = parsed(arguments);
    return options.remark(options.plan(warnings::add, usualSparkHome), usualSparkHome);
  }

  @Test
  void anOverflowGoesWithIntermediateData(@TempDir Path temp) throws Exception {
    usualSparkHome = Files.createDirectories(temp.resolve("usual/jars")).getParent() + "";
    assertThat(plan("--origin=/x", "--overflow=/nvme").settings())
        .containsEntry("eley.node.overflow.directory", "/nvme")
        .doesNotContainKey("eley.node.overflow.size");
    assertThat(plan("--origin=/x", "--overflow=/nv:me:20g").settings())
        .containsEntry("eley.node.overflow.directory", "/nv:me")
        .containsEntry("eley.node.overflow.size", "20g");
    assertThat(
            plan("--origin=/x", "--overflow=/a:1g", "-D", "eley.node.overflow.size=2g").settings())
        .containsEntry("eley.node.overflow.size", "2g");
    assertThat(plan("--origin=/x", "--overflow=/nvme:1g", "--no-scratch").settings())
        .doesNotContainKeys("eley.node.overflow.directory", "eley.node.overflow.size");
    usualSparkHome = null;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan("--origin=/x", "--overflow=/nvme"))
        .withMessageContaining("give --spark-home");
    StartOptions sites = parsed(Map.of("overflow", "/nvme"), "--origin=/x");
    assertThat(sites.plan(warnings::add, null).settings())
        .as("a site's is for who has a Spark")
        .doesNotContainKey("eley.node.overflow.directory");
  }

  @Test
  void everyOptionReachesThePlan() {
    DeploymentPlan plan =
        plan(
            "--origin=/mnt/pfs",
            "--nodes=3",
            "--memory=64m",
            "--mode=adaptive",
            "--block-size=4m",
            "--ram-disk=/mnt/ram",
            "--host=10.0.0.1",
            "--port=7000",
            "-D",
            "eley.delay.max=3s");
    assertThat(plan.nodes()).isEqualTo(3);
    assertThat(plan.memory()).isEqualTo(DataSize.parse("64m"));
    assertThat(plan.mode()).isEqualTo(BufferMode.ADAPTIVE);
    assertThat(plan.geometry().blockSize()).isEqualTo(4 << 20);
    assertThat(plan.ramDisk()).isEqualTo(Path.of("/mnt/ram"));
    assertThat(plan.host()).isEqualTo("10.0.0.1");
    assertThat(plan.port()).isEqualTo(7000);
    assertThat(plan.settings())
        .isEqualTo(Map.of("eley.delay.max", "3s", "eley.signal.neighbours", NEIGHBOURS));
    assertThat(plan("--origin=/x", "-D", "eley.signal.neighbours=/here").settings())
        .isEqualTo(Map.of("eley.signal.neighbours", "/here"));
  }

  @Test
  void whatMakesNoSenseIsRefusedByItsName() {
    assertThatThrownBy(() -> plan("--origin=/x", "--nodes=0")).hasMessageContaining("--nodes");
    assertThatThrownBy(() -> plan("--origin=/x", "--port=70000")).hasMessageContaining("--port");
    assertThatThrownBy(() -> plan("--origin=/x", "-D", "eley.no.such=1"))
        .hasMessageContaining("no configuration key is called eley.no.such");
    assertThatThrownBy(() -> plan("--origin=/x", "--block-size=3000"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDeploymentIsNamedByItsOption() {
    var option = new DeploymentOption();
    assertThat(option.files()).isEqualTo(DeploymentOption.standard());
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("d", CommandLine.Model.CommandSpec.forAnnotatedObject(option)))
        .parseArgs("-d", "/some/where");
    assertThat(option.files()).isEqualTo(new DeploymentFiles(Path.of("/some/where")));
  }
}
