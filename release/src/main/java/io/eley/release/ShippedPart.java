package io.eley.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/**
 * One library of somebody else that an archive holds, as a jar or inside a jar of ours.
 *
 * @param group of its Maven coordinates
 * @param name of its Maven coordinates
 * @param version of its Maven coordinates
 * @param licences by SPDX's short names; of several the reader may choose one
 * @param url where its project is; empty when its POM does not say
 * @param jar the file
 */
record ShippedPart(
    String group, String name, String version, List<String> licences, String url, Path jar) {
  private static final Pattern LEGAL =
      Pattern.compile("(?i)(.*/)?((licen[cs]e|notice|copying)([-.][^/]*)?)");
  private static final Pattern CODE = Pattern.compile("(?i).*\\.(class|java|js|map)");

  /**
   * The parts among these jars; those of ours are none.
   *
   * @param list a line for each dependency: group|name|version|licence;licence|URL
   * @param directories whose jars are shipped
   * @throws IllegalStateException when a jar is in no line, or a line names no licence by its short
   *     name: an archive shall hold nothing whose licence nobody has looked at
   */
  static List<ShippedPart> of(Path list, List<Path> directories) throws IOException {
    var jars = new TreeMap<String, Path>();
    for (Path directory : directories) {
      try (var files = Files.list(directory)) {
        files
            .filter(f -> f.toString().endsWith(".jar"))
            .filter(f -> !f.getFileName().toString().startsWith("eley-"))
            .forEach(f -> jars.put(f.getFileName().toString(), f));
      }
    }
    var parts = new ArrayList<ShippedPart>();
    for (String line : Files.readAllLines(list)) {
      String[] fields = line.split("\\|", -1);
      Path jar = fields.length < 5 ? null : jars.remove(fields[1] + "-" + fields[2] + ".jar");
      if (jar != null) {
        List<String> licences = List.of(fields[3].split(";"));
        if (!licences.stream().allMatch(l -> l.matches("[A-Za-z0-9.-]+"))) {
          throw new IllegalStateException("licence without a short name: " + line);
        }
        parts.add(new ShippedPart(fields[0], fields[1], fields[2], licences, fields[4], jar));
      }
    }
    if (!jars.isEmpty()) {
      throw new IllegalStateException("no licence is known of " + jars.keySet());
    }
    parts.sort(Comparator.comparing(ShippedPart::group).thenComparing(ShippedPart::name));
    return parts;
  }

  /** The texts in the jar that have to go with it, by the name of their file. */
  Map<String, byte[]> texts() throws IOException {
    var texts = new LinkedHashMap<String, byte[]>();
    try (var zip = new ZipFile(jar.toFile())) {
      var entries = zip.stream().sorted(Comparator.comparing(e -> e.getName())).toList();
      for (var entry : entries) {
        var legal = LEGAL.matcher(entry.getName());
        if (!entry.isDirectory() && legal.matches() && !CODE.matcher(entry.getName()).matches()) {
          try (var in = zip.getInputStream(entry)) {
            texts.putIfAbsent(legal.group(2), in.readAllBytes());
          }
        }
      }
    }
    return texts;
  }
}
