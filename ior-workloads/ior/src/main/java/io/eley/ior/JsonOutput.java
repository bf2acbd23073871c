package io.eley.ior;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.eley.ior.IorResult.Phase;
import io.eley.ior.IorResult.Removal;
import io.eley.ior.IorResult.Summary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * IOR's JSON, character by character: its line breaks and blanks are its own, and scripts exist
 * that depend on them.
 */
final class JsonOutput {
  private static final double MIB_IN_MB = 1.048576;
  private static final String NEXT = "\n, \n";

  private JsonOutput() {}

  static void write(IorRunRecord run, Appendable out) throws IOException {
    out.append("{\n");
    writePair(out, "  ", "Version", run.machine().version());
    writePair(out, "  ", "Began", run.beganText());
    writePair(out, "  ", "Command line", run.commandLine());
    writePair(out, "  ", "Machine", run.machineText());
    out.append("  \"tests\": [\n    {\n");
    writePair(out, "    ", "TestID", 0);
    writeTest(run, out);
    out.append("\n  }\n]").append(NEXT).append("\"summary\": [\n    ");
    out.append(
        run.result().summaries().stream()
            .map(s -> "{\n" + fields("    ", summary(run.options(), s)) + "\n  }")
            .collect(Collectors.joining(NEXT + "    ")));
    out.append("\n]").append(NEXT);
    out.append("\"Finished\": ").append(quoted(run.finishedText())).append("\n}\n");
  }

  private static void writeTest(IorRunRecord run, Appendable out) throws IOException {
    Machine.Storage storage = run.machine().storage();
    out.append("    \"StartTime\": ").append(quoted(run.beganText()));
    out.append("    , \"Path\": ").append(quoted(run.options().fileOf(0)));
    out.append(",\"Capacity\": ").append(quoted(storage.size()));
    out.append(", \"Used Capacity\": ").append(quoted(storage.used()));
    out.append(",\"Inodes\": ").append(quoted(storage.inodes()));
    out.append(", \"Used Inodes\" : ").append(quoted(storage.usedInodes())).append(NEXT);
    writeObject(out, "Parameters", OutputFields.parameters(run.options(), run.machine()));
    out.append(NEXT);
    writeObject(out, "Options", OutputFields.options(run.options()));
    out.append(NEXT).append("    \"Results\": [\n            ");
    out.append(
        results(run).stream()
            .map(fields -> "{\n" + fields("        ", fields) + "\n      }")
            .collect(Collectors.joining(NEXT + "            ")));
    out.append("\n]");
    if (run.options().verbose() > 0) {
      out.append(NEXT);
      writeObject(out, "max", best(run.result().summaries()));
    }
    out.append('\n');
  }

  /** Phases, and with {@code -v} the removal after each repetition. */
  private static List<Map<String, Object>> results(IorRunRecord run) {
    var results = new ArrayList<Map<String, Object>>();
    List<Phase> phases = run.result().phases();
    for (int i = 0; i < phases.size(); i++) {
      results.add(phase(phases.get(i)));
      int iteration = phases.get(i).iteration();
      if (run.options().verbose() > 0
          && (i + 1 == phases.size() || phases.get(i + 1).iteration() > iteration)) {
        run.result().details().removals().stream()
            .filter(r -> r.iteration() == iteration)
            .map(JsonOutput::removal)
            .forEach(results::add);
      }
    }
    return results;
  }

  private static Map<String, Object> phase(Phase p) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("access", p.operation());
    fields.put("bwMiB", p.mebibytesPerSecond());
    fields.put("blockKiB", p.blockKibibytes());
    fields.put("xferKiB", p.transferKibibytes());
    fields.put("iops", p.iops());
    fields.put("latency", p.latency());
    fields.put("openTime", p.times().open());
    fields.put("wrRdTime", p.times().transfer());
    fields.put("closeTime", p.times().close());
    fields.put("totalTime", p.times().total());
    return fields;
  }

  private static Map<String, Object> removal(Removal r) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("access", "remove");
    fields.put("totalTime", r.seconds());
    return fields;
  }

  private static Map<String, Object> best(List<Summary> summaries) {
    var fields = new LinkedHashMap<String, Object>();
    for (Summary s : summaries) {
      fields.put(s.operation() + "MiB", s.rates().max());
      fields.put(s.operation() + "MB", s.rates().max() * MIB_IN_MB);
    }
    return fields;
  }

  private static Map<String, Object> summary(IorOptions o, Summary s) {
    var rates = s.rates();
    var fields = new LinkedHashMap<String, Object>();
    fields.put("operation", s.operation());
    fields.put("API", "POSIX");
    fields.put("TestID", 0);
    fields.put("ReferenceNumber", 0);
    fields.put("segmentCount", o.shape().segments());
    fields.put("blockSize", o.shape().block().bytes());
    fields.put("transferSize", o.shape().transfer().bytes());
    fields.put("numTasks", s.tasks());
    fields.put("tasksPerNode", s.tasks());
    fields.put("repetitions", o.shape().repetitions());
    fields.put("filePerProc", OutputFields.bit(o.access().filePerTask()));
    fields.put("reorderTasks", OutputFields.bit(o.access().reorder()));
    fields.put("taskPerNodeOffset", 1);
    fields.put("reorderTasksRandom", 0);
    fields.put("reorderTasksRandomSeed", 0);
    fields.put("bwMaxMIB", rates.max());
    fields.put("bwMinMIB", rates.min());
    fields.put("bwMeanMIB", rates.mean());
    fields.put("bwStdMIB", rates.deviation());
    fields.put("OPsMax", OutputFields.operations(o, rates.max()));
    fields.put("OPsMin", OutputFields.operations(o, rates.min()));
    fields.put("OPsMean", OutputFields.operations(o, rates.mean()));
    fields.put("OPsSD", OutputFields.operations(o, rates.deviation()));
    fields.put("MeanTime", s.meanSeconds());
    fields.put("xsizeMiB", s.aggregateMebibytes());
    return fields;
  }

  private static void writeObject(Appendable out, String name, Map<String, Object> fields)
      throws IOException {
    out.append("    \"").append(name).append("\": {\n");
    out.append(fields("      ", fields)).append("\n    }");
  }

  private static String fields(String indent, Map<String, Object> fields) {
    return fields.entrySet().stream()
        .map(f -> indent + quoted(f.getKey()) + ": " + value(f.getValue()))
        .collect(Collectors.joining(", \n"));
  }

  private static void writePair(Appendable out, String indent, String name, Object value)
      throws IOException {
    out.append(fields(indent, Map.of(name, value))).append(", \n");
  }

  private static String value(Object value) {
    if (value instanceof Double number) {
      return String.format(Locale.ROOT, "%.4f", number);
    }
    return value instanceof String text ? quoted(text) : value.toString();
  }

  private static String quoted(String text) {
    return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
  }
}
