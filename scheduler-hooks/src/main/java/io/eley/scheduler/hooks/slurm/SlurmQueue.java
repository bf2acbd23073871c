package io.eley.scheduler.hooks.slurm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.scheduler.hooks.signal.SignalException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads {@code squeue --json} and slurmrestd's {@code /jobs}, which are the same but for their
 * version. Between 22.05 and today numbers have become objects ({@code {"set": true, "number": 7}})
 * and states lists; both forms are read.
 */
final class SlurmQueue {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SlurmQueue() {}

  /** The running jobs. */
  static List<SlurmJob> parse(String text) throws SignalException {
    JsonNode jobs;
    try {
      jobs = JSON.readTree(text).path("jobs");
    } catch (JsonProcessingException e) {
      throw SignalException.failed("squeue printed something that is not JSON");
    }
    if (!jobs.isArray()) {
      throw SignalException.failed("squeue's JSON has no list of jobs");
    }
    var running = new ArrayList<SlurmJob>();
    for (JsonNode job : jobs) {
      if (states(job).contains("RUNNING")) {
        long id = number(job.path("job_id"));
        long het = number(job.path("het_job_id"));
        running.add(
            new SlurmJob(
                id,
                het == 0 ? id : het,
                job.path("name").asText(""),
                job.path("user_name").asText(""),
                job.path("account").asText(""),
                job.path("partition").asText(""),
                job.path("comment").isObject()
                    ? job.path("comment").path("job").asText("")
                    : job.path("comment").asText(""),
                job.path("admin_comment").asText(""),
                job.path("nodes").asText("")));
      }
    }
    return running;
  }

  /** The same list with nothing but what {@link #parse} reads; text that is none stays as it is. */
  static String abridged(String text) {
    var root = JSON.createObjectNode();
    try {
      var jobs = root.putArray("jobs");
      for (SlurmJob job : parse(text)) {
        jobs.addObject()
            .put("job_id", job.id())
            .put("het_job_id", job.hetJob())
            .put("name", job.name())
            .put("user_name", job.user())
            .put("account", job.account())
            .put("partition", job.partition())
            .put("comment", job.comment())
            .put("admin_comment", job.adminComment())
            .put("nodes", job.nodes())
            .put("job_state", "RUNNING");
      }
      return root.toString();
    } catch (SignalException e) {
      return text; // whoever reads it will say the same of it
    }
  }

  private static List<String> states(JsonNode job) {
    JsonNode state = job.path("job_state");
    var states = new ArrayList<String>();
    if (state.isArray()) {
      state.forEach(s -> states.add(s.asText()));
    } else {
      states.add(state.asText());
    }
    return states;
  }

  private static long number(JsonNode node) {
    return node.isObject() ? node.path("number").asLong() : node.asLong();
  }
}
