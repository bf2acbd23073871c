package io.eley.cli;

import io.eley.ior.IorCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * All verbs, in the order of the help. Their names are here although their classes have them, too:
 * to run one verb, the others are not looked at, which is most of the time that a command takes.
 */
enum Verb {
  START("start", Group.HERE, StartCommand.class),
  RUN("run", Group.HERE, RunCommand.class),
  STATUS("status", Group.HERE, StatusCommand.class),
  STOP("stop", Group.HERE, StopCommand.class),
  DOCTOR("doctor", Group.HERE, DoctorCommand.class),
  TOP("top", Group.LOOK, TopCommand.class),
  LOGS("logs", Group.LOOK, LogsCommand.class),
  BENCH("bench", Group.HERE, BenchCommand.class),
  SBATCH("sbatch", Group.JOBS, SbatchCommand.class),
  SALLOC("salloc", Group.JOBS, SallocCommand.class),
  JOBS("jobs", Group.JOBS, JobsCommand.class),
  APPS("apps", Group.LOOK, AppsCommand.class),
  WHY("why", Group.LOOK, WhyCommand.class),
  SUMMARY("summary", Group.LOOK, SummaryCommand.class),
  CONFIG("config", Group.LOOK, ConfigCommand.class),
  PHASE("phase", Group.HPC, PhaseCommand.class),
  LEDGER("ledger", Group.HPC, LedgerCommand.class),
  ADVISE("advise", Group.HPC, AdviseCommand.class),
  STAGE_IN("stage-in", Group.LOOK, StageInCommand.class),
  DEMO(ExperimentVerb.DEMO),
  EXPERIMENT(ExperimentVerb.EXPERIMENT),
  REPORT(ExperimentVerb.REPORT),
  CHAOS(ExperimentVerb.CHAOS),
  IOR("ior", Group.EXPERIMENTS, IorCommand.class),
  SIMULATE("simulate", Group.EXPERIMENTS, SimulateCommand.class),
  BOARD("board", Group.PLUMBING, BoardCommand.class),
  SLURM("slurm", Group.PLUMBING, SlurmCommand.class),
  AWAIT("await", Group.PLUMBING, AwaitCommand.class),
  ADDRESS("address", Group.PLUMBING, AddressCommand.class),
  ALLUXIO_WORKERS("alluxio-workers", Group.PLUMBING, AlluxioWorkersCommand.class),
  COORDINATOR("coordinator", Group.PLUMBING, CoordinatorCommand.class),
  NODE("node", Group.PLUMBING, NodeCommand.class),
  HELP("help", Group.PLUMBING, CommandLine.HelpCommand.class);

  /** What verbs are for, in the order of the help. */
  enum Group {
    HERE("On this machine:"),
    JOBS("As a job of a cluster:"),
    LOOK("Look on and tune:"),
    HPC("For HPC applications:"),
    EXPERIMENTS("Experiments and loads:"),
    PLUMBING("For scripts, services and administrators:");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  private final String label;
  private final Group group;
  private final Class<?> type;

  /** Whose class may be missing. */
  private final @Nullable ExperimentVerb experiment;

  Verb(String label, Group group, Class<?> type) {
    this.label = label;
    this.group = group;
    this.type = type;
    experiment = null;
  }

  Verb(ExperimentVerb experiment) {
    label = experiment.label();
    group = Group.EXPERIMENTS;
    type = MissingVerb.class;
    this.experiment = experiment;
  }

  /** The verb of that name. */
  static Optional<Verb> of(String label) {
    return Arrays.stream(values()).filter(verb -> verb.label.equals(label)).findFirst();
  }

  /** Those of a group. */
  static List<Verb> of(Group group) {
    var found = new ArrayList<Verb>();
    for (Verb verb : values()) {
      if (verb.group == group) {
        found.add(verb);
      }
    }
    return found;
  }

  /** What a person types. */
  String label() {
    return label;
  }

  /** Adds it to a command line. */
  void addTo(CommandLine root) {
    root.addSubcommand(label, experiment == null ? type : experiment.command());
  }
}
