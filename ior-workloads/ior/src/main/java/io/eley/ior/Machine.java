package io.eley.ior;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Where a run took place.
 *
 * @param version of the program, as IOR prints its own
 * @param system for example Linux
 * @param host its name
 * @param kernel release, version and architecture
 * @param storage the file system of the test file
 */
record Machine(String version, String system, String host, String kernel, Storage storage) {
  /** Says whose output it is. */
  private static final String VERSION = "4.1.0+eley";

  private static final String BYTE_UNITS = "KMGTPE";

  /**
   * A file system, each value as IOR prints it.
   *
   * @param size for example {@code 364.3 GiB}
   * @param used for example {@code 23.4%}
   * @param inodes for example {@code 18.2 Mi}
   * @param usedInodes for example {@code 0.0%}
   */
  record Storage(String size, String used, String inodes, String usedInodes) {}

  /** This one. Java does not know inodes: they show as 0, as on file systems that have none. */
  static Machine here(Path testFile) {
    String arch = System.getProperty("os.arch");
    return new Machine(
        VERSION,
        System.getProperty("os.name"),
        kernel("hostname", "localhost"),
        System.getProperty("os.version")
            + " "
            + kernel("version", "#0")
            + " "
            + (arch.equals("amd64") ? "x86_64" : arch),
        storage(testFile));
  }

  String shortName() {
    return system + " " + host;
  }

  String longName() {
    return shortName() + " " + kernel;
  }

  String platform() {
    return host + "(" + system + ")";
  }

  private static Storage storage(Path testFile) {
    try {
      Path directory = testFile.toAbsolutePath().getParent();
      FileStore store = Files.getFileStore(directory == null ? testFile : directory);
      double total = store.getTotalSpace();
      double used = total > 0 ? (total - store.getUnallocatedSpace()) / total * 100 : 0;
      return new Storage(size(total), String.format(Locale.ROOT, "%.1f%%", used), "0.0 Mi", "0.0%");
    } catch (IOException e) {
      // The run itself will say what is wrong with that directory.
      return new Storage("0.0 GiB", "0.0%", "0.0 Mi", "0.0%");
    }
  }

  private static String size(double bytes) {
    double value = bytes / 1024;
    int unit = 0;
    while (value >= 1024 && unit < BYTE_UNITS.length() - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %ciB", value, BYTE_UNITS.charAt(unit));
  }

  private static String kernel(String name, String otherwise) {
    try {
      return Files.readString(Path.of("/proc/sys/kernel", name)).strip();
    } catch (IOException e) {
      return otherwise;
    }
  }
}
