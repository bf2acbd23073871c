package io.eley.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Writes what goes with the libraries of others in an archive: {@code NOTICE}, the list {@code
 * THIRD-PARTY}, the texts of their licences, and the bill of materials {@code eley.cdx.json}.
 */
public final class LegalFiles {
  private static final String OURS =
      """
      Eley
      Copyright 2026 the authors of Eley

      Licensed under the Apache License, version 2.0 (see LICENSE).

      This archive holds libraries of others, or single files of them, unchanged. THIRD-PARTY names
      each with its licence, licences/ has the texts. What some of them want to be said:
      """;

  private LegalFiles() {}

  /**
   * For the build.
   *
   * @param args version, time of the build, list of dependencies ({@link ShippedPart#of}),
   *     directory of texts that jars do not bring, directory to write, directories of jars
   */
  public static void main(String[] args) throws IOException {
    List<Path> jars = Stream.of(args).skip(5).map(Path::of).toList();
    List<ShippedPart> parts = ShippedPart.of(Path.of(args[2]), jars);
    write(args[0], Instant.parse(args[1]), parts, Path.of(args[3]), Path.of(args[4]));
  }

  static void write(
      String version, Instant built, List<ShippedPart> parts, Path known, Path directory)
      throws IOException {
    clear(directory);
    var notice = new StringBuilder(OURS);
    var list = new StringBuilder();
    for (ShippedPart part : parts) {
      Map<String, byte[]> texts = part.texts();
      Path own = Files.createDirectories(directory.resolve("licences").resolve(part.name()));
      for (var text : texts.entrySet()) {
        Files.write(own.resolve(text.getKey()), text.getValue());
        if (text.getKey().toUpperCase(Locale.ROOT).startsWith("NOTICE")) {
          String said = new String(text.getValue(), StandardCharsets.UTF_8).strip();
          notice.append("\n---- ").append(part.name()).append("\n\n").append(said).append("\n");
        }
      }
      if (texts.keySet().stream().allMatch(name -> name.matches("(?i)notice.*"))) {
        for (Path text : textsOf(part, known)) {
          Files.copy(text, own.resolve(text.getFileName()));
        }
      }
      list.append(part.name()).append(' ').append(part.version());
      list.append(": ").append(String.join(" or ", part.licences()));
      list.append(part.url().isEmpty() ? "" : ", " + part.url()).append('\n');
    }
    Files.writeString(directory.resolve("NOTICE"), notice);
    Files.writeString(directory.resolve("THIRD-PARTY"), list);
    Files.writeString(
        directory.resolve("eley.cdx.json"), BillOfMaterials.of(version, built, parts));
  }

  /**
   * The text for its group where the project keeps one, else those of its licences that it keeps.
   */
  private static List<Path> textsOf(ShippedPart part, Path known) {
    Path own = known.resolve(part.group() + ".txt");
    List<Path> texts =
        Files.exists(own)
            ? List.of(own)
            : part.licences().stream()
                .map(licence -> known.resolve(licence + ".txt"))
                .filter(Files::exists)
                .toList();
    if (texts.isEmpty()) {
      throw new IllegalStateException(
          part.jar() + " brings no text of " + part.licences() + ", nor has " + known + " one");
    }
    return texts;
  }

  private static void clear(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      try (var files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(directory);
  }
}
