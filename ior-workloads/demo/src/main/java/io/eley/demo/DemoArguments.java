package io.eley.demo;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.Durations;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.ior.SizeConverter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What of a demo can be chosen on the command line; what is not chosen stays as it is. */
final class DemoArguments {
  @Option(
      names = "--input",
      paramLabel = "DIR",
      description = "your own text files instead of generated ones, all of them: not with --size")
  private @Nullable Path input;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "bytes of generated input (default: 10 s of computing, or of --capacity)")
  private @Nullable DataSize size;

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "bytes per second of the emulated PFS, and what tasks are taken to compute"
              + " (default: a quarter more than they are measured to)")
  private @Nullable DataSize capacity;

  @Option(
      names = "--stream-rate",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "bytes per second that one stream gets at most (default: half the capacity)")
  private @Nullable DataSize streamRate;

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      description = "latency of each PFS request, for example 2ms (default: 2ms)")
  private @Nullable String latency;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "RAM of each of the two nodes (default: 256m, together less than the input)")
  private @Nullable DataSize memory;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "2017",
      description = "of the generated text")
  private long seed;

  /**
   * Changes what was chosen; bad usage when it contradicts itself.
   *
   * @throws EleyException {@code NOT_FOUND} when the input is no directory that can be read
   */
  DemoOptions applyTo(DemoOptions standard, CommandLine command) throws EleyException {
    if (input != null && size != null) {
      throw new ParameterException(
          command, "--size is how much text is generated: give either --input or --size");
    }
    DemoOptions options = standard.withInput(standard.input().withSeed(seed));
    if (input != null) {
      if (!Files.isDirectory(input) || !Files.isReadable(input)) {
        throw new EleyException(
            ErrorCode.NOT_FOUND, "--input " + input + " is not a directory one can read");
      }
      options = options.withInput(options.input().withDirectory(input));
    }
    if (size != null) {
      options = options.withInput(options.input().withSize(size));
    }
    if (capacity != null) {
      options = options.withOrigin(options.origin().withCapacity(capacity));
    }
    if (streamRate != null) {
      options = options.withOrigin(options.origin().withStreamRate(streamRate));
    }
    if (latency != null) {
      options = options.withOrigin(options.origin().withLatency(Durations.parse(latency)));
    }
    return memory == null ? options : options.withBuffer(options.buffer().withMemory(memory));
  }
}
