package io.eley.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * What happens in one run. Pure: it follows from the seed alone.
 *
 * @param seed of the run, and of everything random in it
 * @param files lengths and names of the files
 * @param events the faults, in their order
 */
record Schedule(long seed, List<Input> files, List<Event> events) {
  /** How long readers read at least. */
  static final int MILLIS = 300;

  /** Longest file: a few blocks of a mebibyte. */
  private static final int LONGEST = 3 << 20;

  private static final int FILES = 4;

  /** What a user would not write into a test, and what data sets have nevertheless. */
  private static final List<String> ODD_NAMES =
      List.of(
          "part-%05d",
          "with space %d",
          "-rf %d",
          "größe=1%%2F%d",
          "日本語 %d.parquet",
          "'quoted' \"%d\"",
          "a*[%d]?",
          "$HOME;%d",
          "%d" + "x".repeat(200));

  /** A file. */
  record Input(String name, long seed, long length) {}

  /**
   * A fault.
   *
   * @param atMillis since the readers began
   * @param target which of the processes or files it hits
   * @param forMillis how long it lasts, where that means something
   */
  record Event(int atMillis, Fault fault, int target, int forMillis) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s (%d) at %.2f s for %.2f s",
          fault.words(),
          target,
          atMillis / 1e3,
          forMillis / 1e3);
    }
  }

  Schedule {
    files = List.copyOf(files);
    events = List.copyOf(events);
  }

  /** The run of a seed. */
  static Schedule of(long seed, List<Fault> possible) {
    var random = new Random(seed);
    var files = new ArrayList<Input>();
    for (int i = 0; i < FILES; i++) {
      String name = ODD_NAMES.get(random.nextInt(ODD_NAMES.size())).formatted(i);
      files.add(new Input(name, random.nextLong(), random.nextInt(10) == 0 ? 0 : length(random)));
    }
    var events = new ArrayList<Event>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      events.add(
          new Event(
              random.nextInt(MILLIS * 4 / 5),
              possible.get(random.nextInt(possible.size())),
              random.nextInt(1 << 16),
              100 + random.nextInt(random.nextBoolean() ? 300 : 1_500)));
    }
    events.sort(Comparator.comparingInt(Event::atMillis));
    return new Schedule(seed, files, events);
  }

  static long length(Random random) {
    return random.nextLong(1, LONGEST);
  }
}
