package io.eley.demo;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * The user's own input: the regular files directly in a directory. Hidden files are left out, as
 * Spark leaves them out.
 *
 * @param files sorted by name, one or more, none of them empty in sum
 * @param bytes of all of them
 */
record InputFiles(List<Path> files, long bytes) {
  /**
   * The input files of a directory.
   *
   * @throws EleyException {@code NOT_FOUND} when there is nothing to read
   */
  static InputFiles of(Path directory) throws EleyException {
    try (var list = Files.list(directory)) {
      var files = list.filter(InputFiles::isInput).sorted().toList();
      long bytes = 0;
      for (var file : files) {
        bytes += Files.size(file);
      }
      if (bytes == 0) {
        throw new EleyException(
            ErrorCode.NOT_FOUND, "no files with anything in them in " + directory);
      }
      return new InputFiles(files, bytes);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.NOT_FOUND, "cannot read the input " + directory, e);
    }
  }

  /**
   * Brings the files into another directory: as links when it is on the same disk, else as copies.
   */
  void bring(Path directory, DoubleConsumer progress) throws EleyException {
    try {
      Files.createDirectories(directory);
      long done = 0;
      for (var file : files) {
        bring(file, directory.resolve(file.getFileName().toString()));
        done += Files.size(file);
        progress.accept((double) done / bytes);
      }
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot copy the input: " + e, e);
    }
  }

  private static void bring(Path file, Path target) throws IOException {
    try {
      Files.createLink(target, file);
    } catch (UnsupportedOperationException | IOException e) {
      Files.copy(file, target);
    }
  }

  private static boolean isInput(Path file) {
    String name = file.getFileName().toString();
    return Files.isRegularFile(file) && !name.startsWith(".") && !name.startsWith("_");
  }
}
