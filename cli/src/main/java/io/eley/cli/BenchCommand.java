package io.eley.cli;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.cli.bench.GainVerdict;
import io.eley.cli.render.Json;
import io.eley.ior.SizeConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eley bench}: whether a buffer would gain anything on one's own file system. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures in two minutes at most what a buffer gains on your file system, and says if nothing.",
      "It writes files below the origin, reads them with and without a node, and removes them."
    })
final class BenchCommand implements Callable<Integer> {
  private static final long MIB = 1 << 20;

  /** Of each of the eight steps. */
  private static final Duration STEP = Duration.ofSeconds(12);

  @Mixin private OriginDirectoryOption origin = new OriginDirectoryOption();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "256m",
      converter = SizeConverter.class,
      description = "of the large file, 1m to 16g (default: ${DEFAULT-VALUE})")
  private DataSize size = DataSize.ofMebibytes(256);

  @Mixin private RamDiskOption ramDisk = new RamDiskOption();

  @Mixin private JsonOption form = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    Numbers.require("--size (MiB)", size.bytes() / MIB, 1, 16 << 10);
    MountedOrigin.open(origin.directory()).close(); // says what is wrong with it, if anything
    PrintWriter out = spec.commandLine().getOut();
    var measurement = new Measurement(origin.directory(), ramDisk.directory, STEP, this::step);
    try {
      GainVerdict verdict = measurement.of(size.bytes() / MIB * MIB);
      if (form.json) {
        out.println(Json.document("bench", verdict));
      } else {
        verdict.lines().forEach(out::println);
      }
      out.flush();
      return 0;
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "cannot measure on " + origin.directory() + ": " + ErrorLine.describe(e),
          e);
    }
  }

  private void step(String what) {
    spec.commandLine().getErr().println("bench: " + what + " ...");
    spec.commandLine().getErr().flush();
  }
}
