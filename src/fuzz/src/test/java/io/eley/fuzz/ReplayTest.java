package io.eley.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every input that ever widened a target's coverage or broke its rules, once more. */
class ReplayTest {
  /** Of all targets together, so that a clone stays small. */
  private static final long CORPUS_BYTES_MAX = 500_000;

  static Stream<Class<?>> targets() {
    return Targets.ALL.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("targets")
  void everyInputOfTheCorpusKeepsTheRules(Class<?> target) throws Exception {
    Method method = target.getMethod(Targets.METHOD, byte[].class);
    List<Path> inputs = inputs(target);
    assertThat(inputs).isNotEmpty();
    run(method, new byte[0], "no bytes");
    for (Path input : inputs) {
      run(method, Files.readAllBytes(input), input.toString());
    }
  }

  @Test
  void theCorpusIsSmall() {
    assertThat(targets().flatMap(t -> inputs(t).stream()).mapToLong(p -> p.toFile().length()).sum())
        .isLessThan(CORPUS_BYTES_MAX);
  }

  private static List<Path> inputs(Class<?> target) {
    try (var files = Files.list(Targets.corpus(target))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(Method method, byte[] bytes, String name) throws Exception {
    try {
      method.invoke(null, (Object) bytes);
    } catch (InvocationTargetException e) {
      throw new AssertionError(name + ": " + e.getCause(), e.getCause());
    }
  }
}
