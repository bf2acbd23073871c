package io.eley.laboratory;

import io.eley.bb.api.config.DataSize;
import io.eley.workloads.LoggedProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * A master and workers of Alluxio 2.9, each a process of its own on loopback with free ports, over
 * a directory that is their root. They know of nothing before, and nothing of them is left. For one
 * thread.
 */
public final class AlluxioCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long LOOK_NANOS = 100_000_000;
  private static final String LOOPBACK = "127.0.0.1";

  private final Options options;
  private final int masterPort;
  private final Map<String, String> settings;
  private final List<LoggedProcess> processes = new ArrayList<>();
  private final List<String> workers = new ArrayList<>();

  /**
   * What to start.
   *
   * @param classPath of Alluxio's master and worker, as Java takes it
   * @param directory for their journal, logs and workers' blocks: on a RAM-disk where there is one
   * @param root directory that all of them see by this path
   * @param workers one or more
   * @param memory of each worker
   * @param blockSize into which files are cut
   * @param entry what a process enters before it starts, such as a mount namespace; 0 is the
   *     master, 1 the first worker
   */
  public record Options(
      String classPath,
      Path directory,
      Path root,
      int workers,
      DataSize memory,
      DataSize blockSize,
      IntFunction<List<String>> entry) {}

  private AlluxioCluster(Options options) throws IOException {
    this.options = options;
    masterPort = freePort();
    settings = new LinkedHashMap<>();
    settings.put("alluxio.home", options.directory.toString());
    settings.put("alluxio.work.dir", options.directory.toString());
    settings.put("alluxio.logs.dir", options.directory.toString());
    settings.put("alluxio.master.hostname", LOOPBACK);
    settings.put("alluxio.master.rpc.port", Integer.toString(masterPort));
    settings.put("alluxio.master.web.port", Integer.toString(freePort()));
    settings.put("alluxio.master.embedded.journal.port", Integer.toString(freePort()));
    settings.put("alluxio.master.journal.type", "UFS");
    settings.put("alluxio.master.journal.folder", options.directory.resolve("journal").toString());
    // Nobody else leads, so nothing has to settle before this one does.
    settings.put("alluxio.master.journal.tailer.shutdown.quiet.wait.time", "0");
    settings.put("alluxio.master.standby.heartbeat.interval", "2s");
    settings.put("alluxio.master.mount.table.root.ufs", options.root.toString());
    settings.put("alluxio.master.ttl.checker.interval", "1s");
    settings.put("alluxio.master.worker.timeout", "5s");
    settings.put("alluxio.master.update.check.enabled", "false");
    settings.put("alluxio.user.block.size.bytes.default", Long.toString(options.blockSize.bytes()));
    settings.put("alluxio.user.metrics.collection.enabled", "false");
    settings.put("alluxio.worker.ramdisk.size", Long.toString(options.memory.bytes()));
  }

  /**
   * Starts one. Blocks for some ten seconds.
   *
   * @throws IOException with the last words of the process that did not come up; nothing is left
   *     running then
   */
  public static AlluxioCluster start(Options options) throws IOException {
    Files.createDirectories(options.directory);
    var cluster = new AlluxioCluster(options);
    try {
      cluster.format();
      LoggedProcess master = cluster.start("alluxio.master.AlluxioMaster", "master", 0, Map.of());
      await(master, cluster.masterPort);
      for (int i = 1; i <= options.workers; i++) {
        cluster.startWorker();
      }
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void format() throws IOException {
    try (LoggedProcess format =
        spawn(
            List.of("alluxio.cli.Format", "master"), "format", options.entry.apply(0), Map.of())) {
      await(format, () -> !format.alive());
      if (format.process().exitValue() != 0) {
        throw new IOException("no journal for Alluxio: " + format.lastWords());
      }
    }
  }

  /** Blocks until it takes calls. */
  private void startWorker() throws IOException {
    int number = workers.size() + 1;
    int port = freePort();
    Path store = Files.createDirectories(options.directory.resolve("store-" + number));
    var own = new LinkedHashMap<String, String>();
    own.put("alluxio.worker.hostname", LOOPBACK);
    own.put("alluxio.worker.rpc.port", Integer.toString(port));
    own.put("alluxio.worker.web.port", Integer.toString(freePort()));
    own.put("alluxio.worker.tieredstore.levels", "1");
    own.put("alluxio.worker.tieredstore.level0.alias", "MEM");
    own.put("alluxio.worker.tieredstore.level0.dirs.path", store.toString());
    own.put("alluxio.worker.data.folder.permissions", "rwx------");
    own.put("alluxio.worker.block.heartbeat.interval", "300ms");
    workers.add(LOOPBACK + ":" + port);
    await(start("alluxio.worker.AlluxioWorker", "worker-" + number, number, own), port);
  }

  private LoggedProcess start(String main, String name, int host, Map<String, String> own)
      throws IOException {
    LoggedProcess started = spawn(List.of(main), name, options.entry.apply(host), own);
    processes.add(started);
    return started;
  }

  private LoggedProcess spawn(
      List<String> main, String name, List<String> entry, Map<String, String> own)
      throws IOException {
    var command = new ArrayList<>(entry);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=512m"));
    settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
    own.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-cp", options.classPath));
    command.addAll(main);
    return LoggedProcess.start(
        "Alluxio's " + name, command, Map.of(), options.directory.resolve(name + ".log"));
  }

  /** The master, {@code host:port}. */
  public String master() {
    return LOOPBACK + ":" + masterPort;
  }

  /** The workers that were started, {@code host:port} of their calls. */
  public List<String> workers() {
    return List.copyOf(workers);
  }

  /**
   * Kills a process, and waits until it is gone.
   *
   * @param number 0 is the master, 1 the first worker
   */
  public void kill(int number) throws InterruptedException {
    processes.get(number).process().destroyForcibly().waitFor();
  }

  private static void await(LoggedProcess process, int port) throws IOException {
    await(
        process,
        () -> {
          try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
          } catch (IOException e) {
            if (!process.alive()) {
              throw new IOException("it has ended: " + process.lastWords(), e);
            }
            return false;
          }
        });
  }

  private interface Look {
    boolean done() throws IOException;
  }

  private static void await(LoggedProcess process, Look look) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!look.done()) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("no answer in " + PATIENCE + ": " + process.lastWords());
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return socket.getLocalPort();
    }
  }

  /** Kills all of it: what they hold is of no use to anybody. */
  @Override
  public void close() {
    processes.forEach(each -> each.process().destroyForcibly());
    processes.forEach(LoggedProcess::close);
  }
}
