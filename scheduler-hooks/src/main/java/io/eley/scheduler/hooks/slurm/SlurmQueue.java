package io.eley.scheduler.hooks.slurm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.scheduler.hooks.signal.SignalException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Reads {@code squeue --json} and slurmrestd's {@code /jobs}, which are the same but for their
 * version. Between 22.05 and today numbers have become objects ({@code {"set": true, "number": 7}})
 * and states lists; both forms are read.
 *
 * <p>A job is some 7 KiB of such a text, and a site may have 10,000, of which many do not run: it
 * is read piece by piece, and takes the memory of what is kept of it and of one job more.
 */
final class SlurmQueue {
  /** Whoever opened a text closes it. */
  private static final ObjectMapper JSON =
      new ObjectMapper(JsonFactory.builder().disable(StreamReadFeature.AUTO_CLOSE_SOURCE).build());

  /** What is read of a job. */
  private static final Set<String> FIELDS =
      Set.of(
          "job_id",
          "het_job_id",
          "name",
          "user_name",
          "account",
          "partition",
          "comment",
          "admin_comment",
          "nodes",
          "job_state");

  /** Of an abridged list: some 40,000 running jobs. */
  private static final int MOST_KEPT = 8 << 20;

  private static final String NO_JSON = "no JSON";

  private SlurmQueue() {}

  private interface Taker {
    void take(SlurmJob job) throws IOException;
  }

  /** The running jobs of a whole list or of an {@link #abridged} one. */
  static List<SlurmJob> parse(String text) throws SignalException {
    var running = new ArrayList<SlurmJob>();
    try {
      if (!takeRunning(new StringReader(text), running::add)) {
        throw SignalException.failed("squeue's JSON has no list of jobs");
      }
      return running;
    } catch (IOException e) {
      throw SignalException.failed("squeue printed something that is not JSON");
    }
  }

  /**
   * The same list with nothing but what {@link #parse} reads of running jobs. Of what is no such
   * list a text is left of which {@link #parse} says the same. Blocks for the stream, which it does
   * not close.
   *
   * @param printed UTF-8, of any length; other bytes, as names may have, are taken for U+FFFD
   * @throws IOException when the stream cannot be read, or more than {@value #MOST_KEPT} characters
   *     would be kept
   */
  static String abridged(InputStream printed) throws IOException {
    var kept = new StringJoiner(",", "{\"jobs\":[", "]}");
    var text = new InputStreamReader(printed, StandardCharsets.UTF_8);
    try {
      return takeRunning(text, job -> keep(kept, job)) ? kept.toString() : "{}";
    } catch (JsonProcessingException e) {
      return NO_JSON;
    }
  }

  private static void keep(StringJoiner kept, SlurmJob job) throws IOException {
    String text =
        JSON.createObjectNode()
            .put("job_id", job.id())
            .put("het_job_id", job.hetJob())
            .put("name", job.name())
            .put("user_name", job.user())
            .put("account", job.account())
            .put("partition", job.partition())
            .put("comment", job.comment())
            .put("admin_comment", job.adminComment())
            .put("nodes", job.nodes())
            .put("job_state", "RUNNING")
            .toString();
    if (kept.length() + text.length() >= MOST_KEPT) {
      throw new IOException("more than " + MOST_KEPT + " bytes of running jobs");
    }
    kept.add(text);
  }

  /** Reads all of a text; whether it has a list of jobs. */
  private static boolean takeRunning(Reader text, Taker taker) throws IOException {
    try (JsonParser in = JSON.createParser(text)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        in.skipChildren();
        return false;
      }
      boolean listed = false;
      while (in.nextToken() != JsonToken.END_OBJECT) {
        boolean jobs = in.currentName().equals("jobs");
        if (in.nextToken() == JsonToken.START_ARRAY && jobs) {
          listed = true;
          takeEach(in, taker);
        } else {
          in.skipChildren();
        }
      }
      return listed;
    }
  }

  private static void takeEach(JsonParser in, Taker taker) throws IOException {
    while (in.nextToken() != JsonToken.END_ARRAY) {
      JsonNode job = fields(in);
      if (states(job).contains("RUNNING")) {
        taker.take(job(job));
      }
    }
  }

  /** What is read of the value at hand; the rest of it is passed over. */
  private static JsonNode fields(JsonParser in) throws IOException {
    var fields = JSON.createObjectNode();
    if (in.currentToken() != JsonToken.START_OBJECT) {
      in.skipChildren();
      return fields;
    }
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      if (FIELDS.contains(name)) {
        JsonNode value = JSON.readTree(in);
        fields.set(name, value);
      } else {
        in.skipChildren();
      }
    }
    return fields;
  }

  private static SlurmJob job(JsonNode job) {
    long id = number(job.path("job_id"));
    long het = number(job.path("het_job_id"));
    JsonNode comment = job.path("comment");
    return new SlurmJob(
        id,
        het == 0 ? id : het,
        job.path("name").asText(""),
        job.path("user_name").asText(""),
        job.path("account").asText(""),
        job.path("partition").asText(""),
        comment.isObject() ? comment.path("job").asText("") : comment.asText(""),
        job.path("admin_comment").asText(""),
        job.path("nodes").asText(""));
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
