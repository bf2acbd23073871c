package io.eley.cli;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.scheduler.hooks.job.Pause;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code eley stage-in}: files into the buffer before anybody reads them. */
@Command(
    name = "stage-in",
    mixinStandardHelpOptions = true,
    description = {
      "Fetches files into the buffer before anybody reads them, under permits, as much as fits.",
      "Says 'staged …' when they are there, and keeps them there until an application has told what it"
          + " reads, or until it is ended."
    },
    footer = {"", "Example:", "  eley stage-in 'input/part-*'"})
final class StageInCommand implements Callable<Integer> {
  private static final long LOOK_MILLIS = 200;
  private static final long KEEP_MILLIS = 1_000;

  /** Looks without progress, with nothing under way, after which more does not fit. */
  private static final int SETTLED = 10;

  private static final int SPLITS_IN_A_MESSAGE = 256;

  @Mixin private DeploymentOption deployment = new DeploymentOption();

  @Option(names = "--leave", description = "end when they are there; they may be evicted then")
  private boolean leave;

  @Parameters(
      paramLabel = "PATTERN",
      description = "files below the origin, with * ? [ ] and ** for any depth; or a directory")
  private String pattern = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws EleyException {
    try (var coordinator = deployment.connect()) {
      String origin = java.net.URI.create(coordinator.view().originAddress()).getPath();
      List<OriginStatus> files = new Matching(coordinator, origin).files(pattern);
      String application = "stage-in-" + ProcessHandle.current().pid();
      tell(coordinator, application, files);
      long there = await(coordinator, application, files.size());
      long asked = files.stream().mapToLong(f -> f.version().length()).sum();
      say(
          "staged "
              + mebibytes(there)
              + " of "
              + mebibytes(asked)
              + " in "
              + files.size()
              + (files.size() == 1 ? " file" : " files"));
      if (!leave) {
        keep(coordinator, application);
      }
      coordinator.tell(new PlanMessage.EndApplication(application));
    }
    return 0;
  }

  private static DataSize mebibytes(long bytes) {
    return DataSize.ofMebibytes((bytes + (1 << 20) - 1) >> 20);
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }

  /** A file is a split, and all of them are one wave, in the order of their names. */
  private static void tell(
      CoordinatorClient coordinator, String application, List<OriginStatus> files)
      throws EleyException {
    var stage = new StageId(application, 0, 0);
    coordinator.tell(new PlanMessage.StartApplication(application, "stage-in"));
    coordinator.tell(new PlanMessage.WaveSize(application, files.size()));
    for (int from = 0; from < files.size(); from += SPLITS_IN_A_MESSAGE) {
      int to = Math.min(files.size(), from + SPLITS_IN_A_MESSAGE);
      var splits = new ArrayList<Split>();
      for (int i = from; i < to; i++) {
        OriginStatus file = files.get(i);
        var whole = new ByteRange(0, file.version().length());
        splits.add(new Split(i, List.of(new FileSlice(file.path(), whole))));
      }
      coordinator.tell(new PlanMessage.PlanStage(stage, splits, to == files.size()));
    }
  }

  /** Until all is there, or no more comes though nothing is under way; the bytes that are there. */
  private static long await(CoordinatorClient coordinator, String application, int splits)
      throws EleyException {
    long before = -1;
    int still = 0;
    while (true) {
      DeploymentReport report = coordinator.report();
      ApplicationReport own = own(report, application);
      // Their files' versions are asked for first, so splits become known one message after
      // another.
      if (own.plannedSplits() == splits && own.windowBytesInRam() >= own.windowBytes()) {
        return own.windowBytesInRam();
      }
      boolean idle =
          own.plannedSplits() > 0
              && own.windowBytesInRam() == before
              && report.nodes().stream()
                  .allMatch(n -> n.counters().permitOpen() && n.counters().queuedFetches() == 0);
      still = idle ? still + 1 : 0;
      if (still > SETTLED) {
        return before;
      }
      before = own.windowBytesInRam();
      Pause.millis(LOOK_MILLIS);
    }
  }

  private static ApplicationReport own(DeploymentReport report, String application)
      throws EleyException {
    if (report.nodes().stream().mapToLong(StageInCommand::capacity).sum() == 0) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "the buffer has no nodes");
    }
    return report.applications().stream()
        .filter(a -> a.application().equals(application))
        .findFirst()
        .orElseThrow(
            () ->
                new EleyException(
                    ErrorCode.UNAVAILABLE, "the coordinator was restarted; stage in again"));
  }

  private static long capacity(NodeReport node) {
    return node.counters().capacityBytes();
  }

  /** Whoever reads them says so with a plan of its own; then ours must not take half of the RAM. */
  private static void keep(CoordinatorClient coordinator, String application) throws EleyException {
    while (coordinator.report().applications().stream()
        .allMatch(a -> a.application().equals(application) || a.plannedSplits() == 0)) {
      Pause.millis(KEEP_MILLIS);
    }
  }

  /** Files of the origin by pattern; hidden ones, as Hadoop has it, are left out. */
  private record Matching(CoordinatorClient coordinator, String origin) {
    List<OriginStatus> files(String pattern) throws EleyException {
      String below = below(pattern);
      Optional<OriginStatus> exact = exact(below);
      var found = new ArrayList<OriginStatus>();
      if (exact.isPresent() && !exact.get().directory()) {
        found.add(exact.get());
      } else if (exact.isPresent()) {
        walk(below, path -> true, found);
      } else {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + below);
        walk(fixedPart(below), matcher, found);
      }
      found.removeIf(f -> f.version().length() == 0);
      if (found.isEmpty()) {
        throw new EleyException(
            ErrorCode.NOT_FOUND, "no file below " + origin + " matches " + pattern);
      }
      return found;
    }

    private String below(String pattern) {
      String root = origin.replaceAll("/+$", "");
      String rest = pattern.startsWith(root + "/") ? pattern.substring(root.length()) : pattern;
      return rest.startsWith("/") ? rest : "/" + rest;
    }

    private Optional<OriginStatus> exact(String path) throws EleyException {
      if (path.matches(".*[*?\\[{].*")) {
        return Optional.empty();
      }
      try {
        return Optional.of(coordinator.stat(path, false));
      } catch (EleyException e) {
        if (e.code() == ErrorCode.NOT_FOUND) {
          return Optional.empty();
        }
        throw e;
      }
    }

    /** The directory above the first wildcard. */
    private static String fixedPart(String glob) {
      int wild = glob.length();
      for (char c : new char[] {'*', '?', '[', '{'}) {
        int at = glob.indexOf(c);
        wild = at < 0 ? wild : Math.min(wild, at);
      }
      int slash = glob.lastIndexOf('/', wild - 1);
      return slash <= 0 ? "/" : glob.substring(0, slash);
    }

    private void walk(String directory, PathMatcher matcher, List<OriginStatus> found)
        throws EleyException {
      List<OriginStatus> children;
      try {
        children = coordinator.list(directory);
      } catch (EleyException e) {
        if (e.code() == ErrorCode.NOT_FOUND) {
          return;
        }
        throw e;
      }
      for (OriginStatus child : children) {
        String name = child.path().substring(child.path().lastIndexOf('/') + 1);
        if (name.startsWith("_") || name.startsWith(".")) {
          continue;
        }
        if (child.directory()) {
          walk(child.path(), matcher, found);
        } else if (matcher.matches(Path.of(child.path()))) {
          found.add(child);
        }
      }
    }
  }
}
