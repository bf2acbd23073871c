package io.eley.chaos;

import io.eley.bb.api.client.EleyClient;
import io.eley.chaos.Schedule.Event;
import io.eley.chaos.Schedule.Input;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One run: readers read while a schedule's faults happen. Blocks until both are over. */
final class ChaosRun {
  private static final int READERS = 3;
  private static final Duration LAST_CALL = Duration.ofSeconds(5);

  private final Patient patient;
  private final Schedule schedule;
  private final Findings findings = new Findings();

  ChaosRun(Patient patient, Schedule schedule) {
    this.patient = patient;
    this.schedule = schedule;
  }

  /** What the readers found. */
  Findings run() throws IOException, InterruptedException {
    Path directory = patient.origin().resolve(Long.toUnsignedString(schedule.seed(), 36));
    Files.createDirectory(directory);
    var files = new ArrayList<ChaosFile>();
    for (Input input : schedule.files()) {
      var file =
          new ChaosFile(patient.origin(), "/" + directory.getFileName() + "/" + input.name());
      file.replace(input.seed(), input.length());
      files.add(file);
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    boolean damage = schedule.events().stream().anyMatch(e -> e.fault() == Fault.FLIP_BIT);
    try (EleyClient client = patient.client(damage)) {
      run(threads, client, files);
    } finally {
      threads.shutdownNow();
      awaitEnd(threads);
      delete(directory);
    }
    return findings;
  }

  private void run(ExecutorService threads, EleyClient client, List<ChaosFile> files)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    findings.begin();
    var injector = new Injector(patient, files);
    var faults = new ArrayList<Future<?>>();
    for (Event event : schedule.events()) {
      faults.add(
          threads.submit(
              () -> {
                TimeUnit.MILLISECONDS.sleep(event.atMillis());
                injector.inject(event);
                return null;
              }));
    }
    long least = TimeUnit.MILLISECONDS.toNanos(Schedule.MILLIS);
    BooleanSupplier over =
        () -> System.nanoTime() - began >= least && faults.stream().allMatch(Future::isDone);
    var readers = new ArrayList<Future<?>>();
    for (int i = 0; i < READERS; i++) {
      var random = new Random(schedule.seed() + i);
      readers.add(threads.submit(new Reader(client, files, random, findings, over)));
    }
    await(faults);
    await(readers);
  }

  private static void await(List<Future<?>> all) throws IOException, InterruptedException {
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw new IOException("the experiment itself failed: " + e.getCause(), e);
      }
    }
  }

  /** What still runs may still make files. */
  private static void awaitEnd(ExecutorService threads) {
    try {
      var unused = threads.awaitTermination(LAST_CALL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
