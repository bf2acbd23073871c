package io.eley.ior;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The options under the names, and in the order, in which IOR's text and JSON give them. */
final class OutputFields {
  private OutputFields() {}

  /** {@code Options}. Text is a String, numbers are not: JSON shows the difference. */
  static Map<String, Object> options(IorOptions o) {
    var shape = o.shape();
    var fields = new LinkedHashMap<String, Object>();
    fields.put("api", "POSIX");
    fields.put("apiVersion", "");
    fields.put("test filename", o.file());
    fields.put("access", o.access().filePerTask() ? "file-per-process" : "single-shared-file");
    fields.put("type", "independent");
    fields.put("segments", shape.segments());
    fields.put("ordering in a file", "sequential");
    if (o.access().reorder()) {
      fields.put("ordering inter file", "constant task offset");
      fields.put("task offset", 1);
    } else {
      fields.put("ordering inter file", "no tasks offsets");
    }
    fields.put("nodes", 1);
    fields.put("tasks", shape.tasks());
    fields.put("clients per node", shape.tasks());
    fields.put("memoryBuffer", "CPU");
    fields.put("dataAccess", "CPU");
    fields.put("GPUDirect", "0");
    fields.put("repetitions", shape.repetitions());
    fields.put("xfersize", size(shape.transfer().bytes()));
    fields.put("blocksize", size(shape.block().bytes()));
    fields.put("aggregate filesize", size(o.totalBytes()));
    if (o.pacing().stonewall() > 0) {
      fields.put("stonewallingTime", o.pacing().stonewall());
      fields.put("stoneWallingWearOut", 0);
    }
    if (o.verbose() > 0) {
      fields.put("verbose", o.verbose());
    }
    return fields;
  }

  /** {@code Parameters}. What we do not have is 0, as in IOR without it. */
  static Map<String, Object> parameters(IorOptions o, Machine machine) {
    var fields = new LinkedHashMap<String, Object>();
    addZeros(fields, "testID", "refnum");
    fields.put("api", "POSIX");
    fields.put("platform", machine.platform());
    fields.put("testFileName", o.file());
    fields.put("deadlineForStonewall", o.pacing().stonewall());
    addZeros(fields, "stoneWallingWearOut", "maxTimeDuration", "outlierThreshold");
    fields.put("options", "(null)");
    addZeros(fields, "dryRun");
    fields.put("nodes", 1);
    addZeros(fields, "memoryPerTask", "memoryPerNode");
    fields.put("tasksPerNode", o.shape().tasks());
    fields.put("repetitions", o.shape().repetitions());
    addZeros(fields, "multiFile");
    fields.put("interTestDelay", o.pacing().delay());
    fields.put("fsync", bit(o.access().sync()));
    addZeros(fields, "fsyncperwrite", "useExistingTestFile", "uniqueDir", "singleXferAttempt");
    fields.put("readFile", bit(o.access().read()));
    fields.put("writeFile", bit(o.access().write()));
    fields.put("filePerProc", bit(o.access().filePerTask()));
    fields.put("reorderTasks", bit(o.access().reorder()));
    addZeros(fields, "reorderTasksRandom", "reorderTasksRandomSeed", "randomOffset");
    addZeros(fields, "checkWrite", "checkRead", "dataPacketType");
    fields.put("keepFile", bit(o.keep()));
    addZeros(fields, "keepFileWithError", "warningAsErrors");
    fields.put("verbose", o.verbose());
    fields.put("data packet type", "g");
    addZeros(fields, "setTimeStampSignature/incompressibleSeed", "collective");
    fields.put("segmentCount", o.shape().segments());
    fields.put("transferSize", o.shape().transfer().bytes());
    fields.put("blockSize", o.shape().block().bytes());
    return fields;
  }

  static int bit(boolean value) {
    return value ? 1 : 0;
  }

  /** Bandwidth to operations per second, as IOR's summary has them. */
  static double operations(IorOptions o, double mebibytesPerSecond) {
    return mebibytesPerSecond * (1 << 20) / o.shape().transfer().bytes();
  }

  private static void addZeros(Map<String, Object> fields, String... names) {
    for (String name : names) {
      fields.put(name, 0);
    }
  }

  /** Sizes as IOR prints them: 1 MiB, 100 MiB, 1.50 GiB, 512 bytes. */
  private static String size(long bytes) {
    String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(
        Locale.ROOT, value == Math.rint(value) ? "%.0f %s" : "%.2f %s", value, units[unit]);
  }
}
