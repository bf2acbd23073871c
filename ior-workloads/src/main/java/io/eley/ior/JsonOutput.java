package io.eley.ior;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** IOR's JSON: the same names in the same places. */
final class JsonOutput {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonOutput() {}

  static void write(IorRunRecord run, Appendable out) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("Version", IorRunRecord.VERSION)
        .put("Began", run.beganText())
        .put("Command line", run.commandLine())
        .put("Machine", IorRunRecord.machine());
    ObjectNode test = root.putArray("tests").addObject();
    test.put("TestID", 0).put("StartTime", run.beganText()).put("Path", run.options().fileOf(0));
    parameters(test.putObject("Parameters"), run.options());
    options(test.putObject("Options"), run.options());
    var results = test.putArray("Results");
    run.result().phases().forEach(phase -> result(results.addObject(), phase));
    var summary = root.putArray("summary");
    run.result().summaries().forEach(s -> summary(summary.addObject(), run.options(), s));
    root.put("Finished", run.finishedText());
    out.append(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root)).append('\n');
  }

  private static void parameters(ObjectNode node, IorOptions o) {
    node.put("testID", 0)
        .put("api", "POSIX")
        .put("platform", IorRunRecord.machine())
        .put("testFileName", o.file())
        .put("tasksPerNode", o.tasks())
        .put("repetitions", o.repetitions())
        .put("interTestDelay", o.delay().toSeconds())
        .put("fsync", bit(o.access().sync()))
        .put("readFile", bit(o.access().read()))
        .put("writeFile", bit(o.access().write()))
        .put("filePerProc", bit(o.access().filePerTask()))
        .put("keepFile", bit(o.keep()))
        .put("segmentCount", o.segments())
        .put("transferSize", o.transfer().bytes())
        .put("blockSize", o.block().bytes());
  }

  private static void options(ObjectNode node, IorOptions o) {
    TextOutput.options(o).forEach(node::put);
  }

  private static void result(ObjectNode node, IorResult.Phase p) {
    node.put("access", p.operation())
        .put("bwMiB", p.mebibytesPerSecond())
        .put("blockKiB", p.blockKibibytes())
        .put("xferKiB", p.transferKibibytes())
        .put("iops", p.iops())
        .put("latency", p.latency())
        .put("openTime", p.times().open())
        .put("wrRdTime", p.times().transfer())
        .put("closeTime", p.times().close())
        .put("totalTime", p.times().total());
  }

  private static void summary(ObjectNode node, IorOptions o, IorResult.Summary s) {
    double transfers = (double) o.transfer().bytes() / (1 << 20);
    node.put("operation", s.operation())
        .put("API", "POSIX")
        .put("TestID", 0)
        .put("ReferenceNumber", 0)
        .put("segmentCount", o.segments())
        .put("blockSize", o.block().bytes())
        .put("transferSize", o.transfer().bytes())
        .put("numTasks", o.tasks())
        .put("tasksPerNode", o.tasks())
        .put("repetitions", o.repetitions())
        .put("filePerProc", bit(o.access().filePerTask()))
        .put("bwMaxMIB", s.max())
        .put("bwMinMIB", s.min())
        .put("bwMeanMIB", s.mean())
        .put("bwStdMIB", s.deviation())
        .put("OPsMax", s.max() / transfers)
        .put("OPsMin", s.min() / transfers)
        .put("OPsMean", s.mean() / transfers)
        .put("OPsSD", s.deviation() / transfers)
        .put("MeanTime", s.meanSeconds())
        .put("xsizeMiB", (double) o.totalBytes() / (1 << 20));
  }

  private static int bit(boolean value) {
    return value ? 1 : 0;
  }
}
