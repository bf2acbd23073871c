package io.eley.local.deployment;

import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.ProcessLock;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The address, and the tokens and URLs beside it, that a coordinator has left which was killed:
 * whoever finds them takes it for one that runs.
 *
 * @param files of the deployment
 */
record LeftAddress(DeploymentFiles files) {
  private static final int PATIENCE_MILLIS = 3_000;

  /**
   * Removes them, unless a coordinator may run: one that systemd or a job's script has started has
   * no pid file. What cannot be removed stays. Blocks for {@value #PATIENCE_MILLIS} ms at most.
   *
   * @param gone whether the coordinator was one of our processes, all of which have ended
   */
  void remove(boolean gone) {
    if (!Files.exists(files.coordinatorAddress())) {
      return;
    }
    // With the lock in hand, so that one that begins meanwhile keeps what it writes.
    try (var lock = ProcessLock.take(files.coordinatorLock()).orElse(null)) {
      if (lock != null && (gone || refusesConnections())) {
        for (Path file : files.whileItListens()) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      return; // A file system without locks, or one that takes no writes: then none runs there.
    }
  }

  /** A host that is silent is no witness: a firewall is. */
  private boolean refusesConnections() {
    try (var socket = new Socket()) {
      var address = ClientOptions.Deployment.in(files.directory()).address();
      socket.connect(address, PATIENCE_MILLIS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
