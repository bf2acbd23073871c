package io.eley.cli;

import io.eley.cli.doctor.Doctor;
import io.eley.cli.doctor.Finding;
import io.eley.cli.render.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley doctor}: what may keep a deployment from working here. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Checks what a deployment needs, before it is started or while it runs: a line each.",
      "A line begins with ok, warn or fail; with any fail the exit code is 1. The last is what to type next."
    })
final class DoctorCommand implements Callable<Integer> {
  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Option(
      names = "--origin",
      paramLabel = "DIR",
      converter = Typed.OriginConverter.class,
      description = "where the data lives (default: the deployment's)")
  private @Nullable String origin;

  @Option(
      names = "--ram-disk",
      paramLabel = "DIR",
      defaultValue = "/dev/shm",
      description = "where nodes keep their blocks (default: ${DEFAULT-VALUE})")
  private Path ramDisk = Path.of("/dev/shm");

  @Option(
      names = "--spark-home",
      paramLabel = "DIR",
      description = "the Spark to look at (default: $SPARK_HOME)")
  private @Nullable Path spark;

  @Option(
      names = {"-D", "--set"},
      paramLabel = "KEY=VALUE",
      description = "any configuration key, as for `eley start`")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var known = AllKeys.today(settings, spec.commandLine().getErr()::println);
    var patient =
        new Doctor.Patient(
            deployment.files(),
            deployment.files().equals(DeploymentOption.standard()),
            Optional.ofNullable(origin),
            ramDisk,
            Optional.ofNullable(spark),
            known);
    Doctor.Examined examined = Doctor.examine(patient);
    List<Finding> findings = examined.findings();
    var out = spec.commandLine().getOut();
    if (form.json) {
      var fields = new LinkedHashMap<String, Object>();
      fields.put("findings", findings);
      fields.put("startWith", examined.startWith());
      out.println(Json.document(fields));
    } else {
      findings.forEach(finding -> out.println(finding.line()));
      out.println();
      out.println("start with:  " + examined.startWith());
    }
    out.flush();
    return findings.stream().anyMatch(Finding::fails) ? 1 : 0;
  }
}
