package io.eley.chaos;

import io.eley.chaos.Schedule.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Does to a deployment what a schedule says, and takes back what lasts for a time only. For one
 * thread, which blocks as long as a fault lasts.
 */
final class Injector {
  private static final String FILLER = "filler";
  private static final int PIECE = 1 << 20;

  private final Patient patient;
  private final List<ChaosFile> files;

  Injector(Patient patient, List<ChaosFile> files) {
    this.patient = patient;
    this.files = files;
  }

  /** Does it, and returns when it is over. */
  void inject(Event event) throws IOException, InterruptedException {
    switch (event.fault()) {
      case KILL_NODE -> patient.node(event.target()).ifPresent(ProcessHandle::destroyForcibly);
      case KILL_COORDINATOR -> patient.coordinator().ifPresent(ProcessHandle::destroyForcibly);
      case FREEZE_NODE -> freeze(patient.node(event.target()), event.forMillis());
      case FREEZE_COORDINATOR -> freeze(patient.coordinator(), event.forMillis());
      case FLIP_BIT -> flip(new Random(event.target()));
      case REPLACE_FILE -> replace(new Random(event.target()));
      case FILL_RAM_DISK -> fill(event.forMillis());
      case DROP_NODE -> drop(patient.nodePort(event.target()), event);
      case DROP_COORDINATOR -> drop(patient.coordinatorPort(), event);
      case SET_NODE_CLOCK -> setClock(Patient.nodeName(event.target()), event);
      case SET_COORDINATOR_CLOCK -> setClock(Patient.COORDINATOR, event);
    }
  }

  private static void freeze(Optional<ProcessHandle> process, int millis)
      throws IOException, InterruptedException {
    if (process.isEmpty()) {
      return;
    }
    signal("STOP", process.get());
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } finally {
      signal("CONT", process.get());
    }
  }

  private static void signal(String name, ProcessHandle process) throws IOException {
    var unused = SystemCommand.succeeds("kill", "-" + name, Long.toString(process.pid()));
  }

  private static void drop(OptionalInt port, Event event) throws IOException, InterruptedException {
    if (port.isEmpty()) {
      return;
    }
    boolean answers = new Random(event.target()).nextBoolean();
    OwnNetwork.Drop dropping = OwnNetwork.drop(port.getAsInt(), answers);
    try {
      TimeUnit.MILLISECONDS.sleep(event.forMillis());
    } finally {
      dropping.close();
    }
  }

  /** By a minute to three days, ahead or back, and then to the right time again. */
  private void setClock(String process, Event event) throws IOException, InterruptedException {
    var random = new Random(event.target());
    long seconds = Math.round(Math.exp(Math.log(60) + random.nextDouble() * Math.log(3 * 1440)));
    patient.setClock(process, random.nextBoolean() ? seconds : -seconds);
    try {
      TimeUnit.MILLISECONDS.sleep(event.forMillis());
    } finally {
      patient.setClock(process, 0);
    }
  }

  private void flip(Random random) throws IOException {
    List<Path> blocks = patient.blocks();
    if (blocks.isEmpty()) {
      return;
    }
    Path block = blocks.get(random.nextInt(blocks.size()));
    try (var channel = FileChannel.open(block, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long position = random.nextLong(Math.max(1, channel.size()));
      var one = ByteBuffer.allocate(1);
      if (channel.read(one, position) == 1) {
        byte flipped = (byte) (one.get(0) ^ 1 << random.nextInt(8));
        channel.write(ByteBuffer.wrap(new byte[] {flipped}), position);
      }
    } catch (NoSuchFileException e) {
      // It was evicted meanwhile.
    }
  }

  private void replace(Random random) throws IOException {
    ChaosFile file = files.get(random.nextInt(files.size()));
    // Of one length as often as not: that is what is hardest to notice.
    List<ChaosFile.Generation> before = file.generations();
    long length =
        random.nextBoolean() ? before.get(before.size() - 1).length() : Schedule.length(random);
    file.replace(random.nextLong(), length);
  }

  private void fill(int millis) throws IOException, InterruptedException {
    Path filler = patient.ramDisk().resolve(FILLER);
    try (var out = FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      var piece = ByteBuffer.allocate(PIECE);
      while (out.write(piece.clear()) > 0) {
        // until there is no room
      }
    } catch (IOException e) {
      // There is none.
    }
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } finally {
      Files.deleteIfExists(filler);
    }
  }
}
