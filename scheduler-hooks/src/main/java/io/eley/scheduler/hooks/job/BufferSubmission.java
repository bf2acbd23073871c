package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits the jobs of buffers for the users whose jobs are to be served, which Slurm allows root
 * alone. Of the caller it takes nothing but a job's number: whose it is and what it asks for Slurm
 * itself says, and what is submitted is always the same script. For one thread; blocks for seven of
 * Slurm's commands, and six more where it refuses what is asked for first.
 */
public final class BufferSubmission implements BufferSubmitter {
  private static final Logger LOG = LoggerFactory.getLogger(BufferSubmission.class);

  private static final String TIME = "--time=";
  private static final String QOS = "--qos=";
  private static final Pattern INVALID_QOS = Pattern.compile("(?i)invalid qos");

  private final SlurmCommands slurm;
  private final BufferHosts hosts;
  private final Site site;

  /**
   * What a site says of all its buffers.
   *
   * @param partition the buffers' hosts
   * @param jobs shared directory of a user's buffers; {@code %h} stands for the home directory,
   *     {@code %u} for the name
   * @param eley the launcher, on all hosts
   * @param environment what a buffer's script finds beside its user's HOME: a PATH to Slurm's
   *     commands and to Java, and {@code SLURM_CONF} where Slurm is not where it looks by itself
   * @param choices how they run
   */
  public record Site(
      String partition,
      String jobs,
      Path eley,
      Map<String, String> environment,
      BufferChoices choices) {
    /** Takes over what it is given. */
    public Site {
      environment = Map.copyOf(environment);
    }
  }

  /** Submits nothing yet. */
  public BufferSubmission(SlurmCommands slurm, Site site) {
    this.slurm = slurm;
    this.site = site;
    hosts = new BufferHosts(slurm, site.partition());
  }

  @Override
  public String submit(long job) throws EleyException {
    ServedJob served = ServedJob.find(slurm, job);
    Directive directive = served.directive(slurm);
    User user = user(served.uid());
    Path jobs = Path.of(site.jobs().replace("%h", user.home()).replace("%u", user.name()));
    int nodes = hosts.fewestFor(directive.capacity(), site.choices());
    var script = new BufferScript(job, directive, nodes, site.eley(), jobs, site.choices());
    var environment = new TreeMap<>(site.environment());
    environment.put("HOME", user.home());
    var options =
        new ArrayList<>(
            List.of(
                "--uid=" + served.uid(),
                "--gid=" + served.gid(),
                "--partition=" + hosts.partition(),
                "--nodes=" + nodes,
                "--ntasks-per-node=1",
                "--mem=" + script.mebibytesOfAHost() + "M",
                "--job-name=" + BufferQueue.nameFor(job),
                "--comment=" + EleyMark.on("waiting for hosts"),
                "--chdir=/",
                "--output=/dev/null",
                "--no-requeue"));
    hosts.times().ifPresent(times -> options.add(TIME + times.longest()));
    served.account(slurm).ifPresent(account -> options.add("--account=" + account));
    long buffer = submit(served, environment, script.text(), options);
    LOG.info("job {} of {} gets the buffer {}", job, user.name(), buffer);
    return script.environment().entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue() + "\n")
        .collect(Collectors.joining());
  }

  /** Again, where Slurm says what of the options it does not take and there is another one. */
  private long submit(
      ServedJob served, Map<String, String> environment, String script, List<String> options)
      throws EleyException {
    try {
      return slurm.submitIn(environment, script, options);
    } catch (EleyException e) {
      List<String> others = others(served, options, String.valueOf(e.getMessage()));
      if (others.equals(options)) {
        throw e;
      }
      LOG.info("the buffer of job {} asks for something else: {}", served.id(), e.getMessage());
      return submit(served, environment, script, others);
    }
  }

  /**
   * The options without what was refused, if it is one of these: the longest time, or the default
   * QOS of the account, which may have none. The QOS of the served job is not asked for from the
   * first, as it may let a user run one job only, which would then be the buffer.
   */
  private List<String> others(ServedJob served, List<String> options, String refusal)
      throws EleyException {
    var others = new ArrayList<>(options);
    if (BufferTimes.isTooLong(refusal)) {
      Optional<BufferTimes> times = hosts.times();
      if (times.isPresent()) {
        String time = times.get().shorter(ServedJob.limit(slurm, served.id()));
        others.replaceAll(option -> option.startsWith(TIME) ? TIME + time : option);
      }
    } else if (INVALID_QOS.matcher(refusal).find()
        && options.stream().noneMatch(option -> option.startsWith(QOS))) {
      served.qos(slurm).ifPresent(qos -> others.add(QOS + qos));
    }
    return others;
  }

  private record User(String name, String home) {}

  private User user(long uid) throws EleyException {
    List<String> entry = slurm.lines(List.of("getent", "passwd", Long.toString(uid)));
    String[] fields = entry.isEmpty() ? new String[0] : entry.get(0).split(":", -1);
    if (fields.length < 7 || !fields[5].startsWith("/")) {
      throw new EleyException(ErrorCode.NOT_FOUND, "user " + uid + " has no home directory here");
    }
    return new User(fields[0], fields[5]);
  }
}
