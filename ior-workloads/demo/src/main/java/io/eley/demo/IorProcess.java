package io.eley.demo;

import io.eley.bb.api.error.EleyException;
import io.eley.ior.IorCommand;
import io.eley.laboratory.Deployment;
import io.eley.laboratory.Installation;
import io.eley.laboratory.Laboratory;
import io.eley.report.ObservedPhase;
import io.eley.workloads.LoggedProcess;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** IOR as a process of its own, beside Spark. */
final class IorProcess implements Laboratory.Hpc {
  private final LoggedProcess process;
  private final PhaseLog log;

  private IorProcess(LoggedProcess process, PhaseLog log) {
    this.process = process;
    this.log = log;
  }

  /** Starts it; its log and phase log are in the run's directory. */
  static IorProcess start(
      Installation installation, IorLoad load, Path directory, @Nullable Deployment deployment)
      throws EleyException {
    Path phases = directory.resolve("phases.jsonl");
    var process =
        OwnProcess.start(
            "IOR",
            installation,
            IorCommand.class.getName(),
            load.arguments(phases, deployment == null ? null : deployment.directory()),
            directory.resolve("ior.log"));
    return new IorProcess(process, new PhaseLog(phases));
  }

  @Override
  public boolean alive() {
    return process.alive();
  }

  @Override
  public List<ObservedPhase> phases() throws EleyException {
    return log.read().complete();
  }

  @Override
  public boolean inPhase() throws EleyException {
    return log.read().open();
  }

  @Override
  public String lastWords() {
    return process.lastWords();
  }

  @Override
  public void close() {
    process.close();
  }
}
