package io.eley.system.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the sources' names promise: a class is found by its name, a package by its folder. */
class NamesTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path MAIN = Path.of("src", "main", "java");

  /** Modules whose folder's name is not a package's name; this one is {@code src/test}. */
  private static final List<String> OTHERWISE_NAMED = List.of("src/test");

  private static final Map<Path, List<Path>> MAIN_SOURCES = new TreeMap<>();

  @BeforeAll
  static void findSources() throws IOException {
    for (Path module : modules()) {
      Path sources = module.resolve(MAIN);
      if (Files.isDirectory(sources)) {
        MAIN_SOURCES.put(module, javaFiles(sources));
      }
    }
    assertThat(MAIN_SOURCES).hasSizeGreaterThan(15);
  }

  @Test
  void noTwoMainClassesShareASimpleName() {
    var places = new TreeMap<String, List<Path>>();
    MAIN_SOURCES.forEach(
        (module, files) ->
            files.forEach(
                file ->
                    places
                        .computeIfAbsent(file.getFileName().toString(), name -> new ArrayList<>())
                        .add(ROOT.relativize(module.resolve(MAIN).resolve(file)))));
    places.remove("package-info.java");

    var shared = new TreeMap<>(places);
    shared.values().removeIf(files -> files.size() == 1);

    assertThat(places).hasSizeGreaterThan(300);
    assertThat(shared).isEmpty();
  }

  @Test
  void eachModulesRootPackageIsNamedAfterItsFolder() {
    var strangers = new TreeSet<Path>();
    MAIN_SOURCES.forEach(
        (module, files) -> {
          Path root = rootPackage(module);
          files.stream()
              .filter(file -> !file.startsWith(root))
              .map(file -> ROOT.relativize(module.resolve(MAIN).resolve(file)))
              .forEach(strangers::add);
        });

    assertThat(strangers).isEmpty();
  }

  private static Path rootPackage(Path module) {
    return Path.of("io", "eley").resolve(module.getFileName().toString().replace('-', '/'));
  }

  /** Every folder with a pom, at the root or in a parent folder of modules. */
  private static List<Path> modules() throws IOException {
    var modules = new ArrayList<Path>();
    for (Path folder : folders(ROOT)) {
      modules.add(folder);
      modules.addAll(folders(folder));
    }
    return modules.stream()
        .filter(folder -> Files.exists(folder.resolve("pom.xml")))
        .filter(folder -> !OTHERWISE_NAMED.contains(ROOT.relativize(folder).toString()))
        .toList();
  }

  private static List<Path> folders(Path parent) throws IOException {
    try (Stream<Path> children = Files.list(parent)) {
      return children.filter(Files::isDirectory).toList();
    }
  }

  private static List<Path> javaFiles(Path sources) throws IOException {
    var files = new ArrayList<Path>();
    Files.walkFileTree(
        sources,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              files.add(sources.relativize(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
