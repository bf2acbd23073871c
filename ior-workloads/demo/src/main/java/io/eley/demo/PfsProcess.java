package io.eley.demo;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.emulated.pfs.EmulatedPfsClient;
import io.eley.emulated.pfs.EmulatedPfsMain;
import io.eley.emulated.pfs.PfsAddress;
import io.eley.emulated.pfs.PfsTrace;
import io.eley.laboratory.ExperimentClock;
import io.eley.laboratory.Installation;
import io.eley.workloads.LoggedProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** The emulated PFS as a process of its own, and our connection to ask it what it granted. */
final class PfsProcess implements AutoCloseable {
  private static final Duration START_BOUND = Duration.ofSeconds(30);

  private final LoggedProcess process;
  private final PfsAddress address;
  private final EmulatedPfsClient witness;

  private PfsProcess(LoggedProcess process, PfsAddress address, EmulatedPfsClient witness) {
    this.process = process;
    this.address = address;
    this.witness = witness;
  }

  /**
   * Starts it and waits until it listens.
   *
   * @param directory behind it
   * @param files private directory for its secret, port and log
   * @param settings with a capacity
   */
  static PfsProcess start(
      Installation installation,
      Path directory,
      Path files,
      DemoOptions.PfsSettings settings,
      ExperimentClock clock)
      throws EleyException {
    Path portFile = files.resolve("port");
    Path secretFile = files.resolve("secret");
    var capacity = Objects.requireNonNull(settings.capacity());
    var streamRate = Objects.requireNonNullElse(settings.streamRate(), capacity);
    var process =
        OwnProcess.start(
            "emulated PFS",
            installation,
            EmulatedPfsMain.class.getName(),
            List.of(
                "--capacity=" + capacity.bytes(),
                "--stream-rate=" + streamRate.bytes(),
                "--latency=" + settings.latency().toNanos() / 1000 + "us",
                "--directory=" + directory,
                "--port-file=" + portFile,
                "--secret-file=" + secretFile),
            files.resolve("pfs.log"));
    try {
      clock.until(
          () -> {
            if (!process.alive()) {
              throw new EleyException(ErrorCode.UNAVAILABLE, process.lastWords());
            }
            return Files.exists(portFile);
          },
          START_BOUND,
          "the emulated PFS does not listen");
      int port = Integer.parseInt(Files.readString(portFile).strip());
      var server = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
      var address = new PfsAddress(server, directory.toRealPath(), secretFile);
      return new PfsProcess(process, address, address.connect("witness"));
    } catch (EleyException e) {
      process.close();
      throw e;
    } catch (IOException e) {
      process.close();
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot start the emulated PFS: " + e, e);
    }
  }

  PfsAddress address() {
    return address;
  }

  PfsTrace traceFrom(long sequence) throws EleyException {
    return witness.traceFrom(sequence);
  }

  @Override
  public void close() {
    witness.close();
    process.close();
  }
}
