package io.eley.system.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A master and workers of Alluxio 2.9, each a process, on loopback with free ports; their root is a
 * directory of this machine. Their jars are there after a build with {@code
 * -Deley.test.alluxio=true}.
 */
public final class RealAlluxio implements AutoCloseable {
  public static final String WANTED = "eley.test.alluxio";

  private static final Path BUILT =
      Path.of(System.getProperty("eley.root"), "ior-workloads", "alluxio-2.9", "target");

  private final Path home;
  private final List<String> settings;
  private final List<Process> processes = new ArrayList<>();
  final int masterPort;

  public RealAlluxio(Path home, Path origin, int workers, String ramdisk, String blockSize)
      throws IOException, InterruptedException {
    this.home = home;
    masterPort = freePort();
    settings =
        List.of(
            "alluxio.master.hostname=127.0.0.1",
            "alluxio.master.rpc.port=" + masterPort,
            "alluxio.master.web.port=" + freePort(),
            "alluxio.master.embedded.journal.port=" + freePort(),
            "alluxio.master.journal.type=UFS",
            "alluxio.master.journal.folder=" + home.resolve("journal"),
            "alluxio.master.journal.tailer.shutdown.quiet.wait.time=0",
            "alluxio.master.mount.table.root.ufs=" + origin,
            "alluxio.master.ttl.checker.interval=1s",
            "alluxio.master.update.check.enabled=false",
            "alluxio.master.worker.timeout=5s",
            "alluxio.user.block.size.bytes.default=" + blockSize,
            "alluxio.worker.ramdisk.size=" + ramdisk,
            "alluxio.home=" + home,
            "alluxio.work.dir=" + home,
            "alluxio.logs.dir=" + home,
            "alluxio.user.metrics.collection.enabled=false",
            "alluxio.master.standby.heartbeat.interval=2s");
    Files.createDirectories(home);
    try {
      format();
      start("alluxio.master.AlluxioMaster", List.of(), "master");
      awaitPort(masterPort);
      for (int i = 1; i <= workers; i++) {
        startWorker(i);
      }
    } catch (IOException | InterruptedException e) {
      close();
      throw e;
    }
  }

  private void format() throws IOException, InterruptedException {
    Process format = spawn("alluxio.cli.Format", List.of(), List.of("master"), "format");
    if (!format.waitFor(60, TimeUnit.SECONDS) || format.exitValue() != 0) {
      throw new IOException("no format: " + Files.readString(home.resolve("format.log")));
    }
  }

  /** Its calls come to the port that the worker's address ends with. */
  void startWorker(int number) throws IOException {
    Path store = Files.createDirectories(home.resolve("store-" + number));
    int port = freePort();
    start(
        "alluxio.worker.AlluxioWorker",
        List.of(
            "alluxio.worker.hostname=127.0.0.1",
            "alluxio.worker.rpc.port=" + port,
            "alluxio.worker.web.port=" + freePort(),
            "alluxio.worker.tieredstore.levels=1",
            "alluxio.worker.tieredstore.level0.alias=MEM",
            "alluxio.worker.tieredstore.level0.dirs.path=" + store,
            "alluxio.worker.data.folder.permissions=rwx------",
            "alluxio.worker.block.heartbeat.interval=300ms"),
        "worker-" + number);
    awaitPort(port);
  }

  private void start(String main, List<String> more, String name) throws IOException {
    processes.add(spawn(main, more, List.of(), name));
  }

  private Process spawn(String main, List<String> more, List<String> arguments, String name)
      throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=512m"));
    settings.forEach(each -> command.add("-D" + each));
    more.forEach(each -> command.add("-D" + each));
    command.addAll(List.of("-cp", Files.readString(BUILT.resolve("servers.classpath")), main));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(home.resolve(name + ".log").toFile())
        .start();
  }

  /** The directory of the client's jar, as a site has it. */
  public static Path client() {
    return BUILT.resolve("client");
  }

  public String master() {
    return "127.0.0.1:" + masterPort;
  }

  /** Kills the master (0) or a worker (1 …), and waits until it is gone. */
  public void kill(int process) throws InterruptedException {
    processes.get(process).destroyForcibly().waitFor();
  }

  private static void awaitPort(int port) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (true) {
      try (var socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
        return;
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        LockSupport.parkNanos(100_000_000);
      }
    }
  }

  static int freePort() {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(
        each -> {
          try {
            each.waitFor();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
