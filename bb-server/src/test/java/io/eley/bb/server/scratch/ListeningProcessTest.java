package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who listens at a port, by recorded lines of proc(5) and by this machine's own. */
@Timeout(60)
class ListeningProcessTest {
  private static final List<String> SOCKETS =
      List.of(
          "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid"
              + "  timeout inode",
          "   0: 0700007F:1CA9 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0"
              + "        0 31297306 1 00000000a60d1466 100 0 0 10 0",
          "   1: 0700007F:1CA9 0200590A:0D06 01 00000000:00000000 00:00000000 00000000  1000"
              + "        0 31296542 1 00000000e565909e 20 4 31 561 -1",
          "  12: 0200590A:0D06 0700007F:1CA9 0A 00000000:00000000 00:00000000 00000000  1000"
              + "        0 632 1 00000000a60d1466 100 0 0 10 0",
          "   0: 0000000000000000FFFF00000300007F:1CA9 00000000000000000000000000000000:0000 0A"
              + " 00000000:00000000 00:00000000 00000000     0        0 31298230 1"
              + " 00000000dccdb62a 100 0 0 10 0",
          "");

  @Test
  void socketsThatListenAtAPortAreFoundInBothTables() {
    assertThat(ListeningProcess.listening(SOCKETS, 0x1CA9))
        .containsExactlyInAnyOrder("socket:[31297306]", "socket:[31298230]");
    assertThat(ListeningProcess.listening(SOCKETS, 0x0D06)).containsExactly("socket:[632]");
    assertThat(ListeningProcess.listening(SOCKETS, 0xA9)).isEmpty();
  }

  @Test
  void aSocketOfAnotherProcessIsNotTakenForIts() throws Exception {
    Process other = new ProcessBuilder("cat").start(); // until its input ends
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = listener.getLocalPort();
      assertThat(ListeningProcess.listens(ProcessHandle.current().pid(), port))
          .isEqualTo(Optional.of(true));
      assertThat(ListeningProcess.listens(other.pid(), port)).isEqualTo(Optional.of(false));
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void aConnectionIsNoListener() throws Exception {
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var connected = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
      assertThat(ListeningProcess.listens(ProcessHandle.current().pid(), connected.getLocalPort()))
          .isEqualTo(Optional.of(false));
    }
  }

  /** Who asks may still take it for alive, and somebody else's socket for its. */
  @Test
  void aProcessThatIsGoneListensNowhere() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    assertThat(gone.waitFor()).isZero();
    assertThat(ListeningProcess.listens(gone.pid(), 1)).isEqualTo(Optional.of(false));
  }
}
