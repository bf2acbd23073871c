package io.eley.ior;

import java.io.IOException;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** IOR's CSV: one line a phase. */
final class CsvOutput {
  static final String[] HEADER = {
    "access",
    "bw(MiB/s)",
    "IOPS",
    "Latency",
    "block(KiB)",
    "xfer(KiB)",
    "open(s)",
    "wr/rd(s)",
    "close(s)",
    "total(s)",
    "numTasks",
    "iter"
  };

  private CsvOutput() {}

  static void write(IorRunRecord run, Appendable out) throws IOException {
    var format = CSVFormat.DEFAULT.builder().setHeader(HEADER).setRecordSeparator("\n").get();
    var csv = new CSVPrinter(out, format);
    for (var phase : run.result().phases()) {
      var times = phase.times();
      csv.printRecord(
          phase.operation(),
          four(phase.mebibytesPerSecond()),
          four(phase.iops()),
          four(phase.latency()),
          four(phase.blockKibibytes()),
          four(phase.transferKibibytes()),
          four(times.open()),
          four(times.transfer()),
          four(times.close()),
          four(times.total()),
          run.options().shape().tasks(),
          phase.iteration());
    }
    csv.flush();
  }

  private static String four(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }
}
