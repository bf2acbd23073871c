package io.eley.benchmarks;

/**
 * The result as text.
 *
 * @param host where it was measured
 * @param rounds how often
 * @param samples what was measured
 */
record ResultTable(BenchmarkHost host, int rounds, Samples samples) {
  private static final String ROW = "%-38s %14s %14s %6s %5s %-4s %9s %9s %9s %9s%n";

  String text() {
    var out = new StringBuilder();
    out.append(
        String.format(
            "Eley %s%n%d cores, %s%n%s, %s%nload average at start %s, %d rounds%n%n",
            host.commit(),
            host.cores(),
            host.cpu(),
            host.kernel(),
            host.jdk(),
            host.load(),
            rounds));
    out.append(
        String.format(
            ROW,
            "benchmark",
            "ours",
            "raw",
            "ratio",
            "aim",
            "met?",
            "p50 us",
            "p99 us",
            "raw p50",
            "raw p99"));
    Pair.ALL.stream().filter(this::measured).forEach(pair -> out.append(row(pair)));
    out.append(
        String.format(
            "%nRates are of the mean time, one thread, one request at a time. Each figure is the"
                + " median over the rounds;%nthe ratio is the median of the rounds' ratios.%n"));
    return out.toString();
  }

  /** Whether both sides ran: a pattern may have left one out. */
  private boolean measured(Pair pair) {
    return !Double.isNaN(samples.ratio(pair));
  }

  private String row(Pair pair) {
    double ratio = samples.ratio(pair);
    String ours = pair.name();
    String raw = pair.limit();
    return String.format(
        ROW,
        pair.title(),
        pair.rate(samples.median(ours, Samples.Sample::mean)),
        pair.rate(samples.median(raw, Samples.Sample::mean)),
        String.format("%.3f", ratio),
        pair.aim() > 0 ? String.format("%.1f", pair.aim()) : "-",
        pair.aim() <= 0 ? "" : ratio >= pair.aim() ? "yes" : "no",
        micros(samples.median(ours, Samples.Sample::median)),
        micros(samples.median(ours, Samples.Sample::p99)),
        micros(samples.median(raw, Samples.Sample::median)),
        micros(samples.median(raw, Samples.Sample::p99)));
  }

  private static String micros(double seconds) {
    return String.format("%.1f", seconds * 1e6);
  }
}
