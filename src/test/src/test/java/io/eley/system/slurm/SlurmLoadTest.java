package io.eley.system.slurm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What deployments in Slurm's jobs cost slurmctld, as sdiag counts it. */
@Timeout(300)
class SlurmLoadTest extends SlurmSite {
  /** A list of jobs, and three questions for the steps of the one job that is watched. */
  private static final double MOST_RPCS_A_SECOND = 4.5;

  private static final double LEAST_RPCS_A_SECOND = 0.5;
  private static final Duration MEASURED = Duration.ofSeconds(12);
  private static final int DEPLOYMENTS = 10;

  private static final Pattern OF_NOBODY = Pattern.compile("nobody\\s.* count:(\\d+)");

  private long submit(String script, String... options) throws Exception {
    Path file = Files.createTempFile(base, "job", ".sh");
    script(file, script);
    var command =
        new ArrayList<>(List.of("sbatch", "--parsable", "--mem=100M", "--output=/dev/null"));
    command.addAll(List.of(options));
    command.add(file.toString());
    return Long.parseLong(as(NOBODY, command.toArray(String[]::new)).strip());
  }

  /** A job that is nothing but a deployment's coordinator. */
  private long coordinator() throws Exception {
    return submit(
        """
        #!/bin/bash
        export HOME=%s ELEY_JAVA_OPTS='-Xmx64m -XX:TieredStopAtLevel=1'
        exec %s coordinator -D eley.coordinator.directory=$HOME/$SLURM_JOB_ID \\
          -D eley.coordinator.origin=%s -D eley.signal.slurm=true \\
          -D eley.signal.neighbours=$HOME/.eley/neighbours
        """
            .formatted(home(NOBODY), eley(), origin),
        "--comment=eley=job");
  }

  private void awaitCoordinator(long job) {
    Path address = home(NOBODY).resolve(job + "/coordinator.address");
    slurm.await(() -> Files.exists(address), "no coordinator in job " + job);
  }

  private long rpcs() throws Exception {
    var count = OF_NOBODY.matcher(slurm.run("sdiag"));
    return count.find() ? Long.parseLong(count.group(1)) : 0;
  }

  /** As often as Slurm is asked when all that have just begun know of each other. */
  private double settledRpcsASecond(List<Double> measured) {
    slurm.awaitOr(
        () -> {
          measured.add(rpcsASecond());
          double last = measured.get(measured.size() - 1);
          return LEAST_RPCS_A_SECOND <= last && last <= MOST_RPCS_A_SECOND;
        },
        () -> "Slurm is asked more often, or hardly: " + measured);
    return measured.get(measured.size() - 1);
  }

  private double rpcsASecond() throws Exception {
    long before = rpcs();
    long from = System.nanoTime();
    slurm.await(() -> System.nanoTime() - from > MEASURED.toNanos(), "time does not pass");
    return (rpcs() - before) / ((System.nanoTime() - from) / 1e9);
  }

  @Test
  void tenDeploymentsOfAUserCostWhatOneCosts() throws Exception {
    submit("#!/bin/bash\nexec sleep 1000\n", "--job-name=hpc");
    awaitCoordinator(coordinator());
    Path shared = home(NOBODY).resolve(".eley/neighbours/slurm-eleytest");
    slurm.await(() -> Files.isDirectory(shared), "Slurm is not asked, or nothing is shared");
    var measured = new ArrayList<Double>();
    double one = settledRpcsASecond(measured);

    var more = new ArrayList<Long>();
    for (int i = 1; i < DEPLOYMENTS; i++) {
      more.add(coordinator());
    }
    more.forEach(this::awaitCoordinator);
    double ten = settledRpcsASecond(measured);
    System.out.printf(
        Locale.ROOT,
        "RPCs a second: %.1f for one deployment, %.1f for ten; while they began %s%n%s",
        one,
        ten,
        measured,
        slurm
            .run("sdiag")
            .lines()
            .filter(l -> l.contains("count:"))
            .collect(Collectors.joining("\n")));
  }
}
