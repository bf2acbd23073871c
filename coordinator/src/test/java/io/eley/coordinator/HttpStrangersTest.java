package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.BufferMode;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Announcements by curl(1) while strangers are slow, and over a network where they listen. */
@Timeout(120)
@Tag("slow")
@Isolated("it judges time")
class HttpStrangersTest {
  private static final int STRANGERS = 200;
  private static final Duration MOST = Duration.ofSeconds(1);
  private static final int MOST_SILENT = 1024;
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(8);
  private static final String WITHOUT_END = "POST /begin HTTP/1.1\r\nHost: x\r\nX-Slow: ";
  private static final String WITHOUT_BODY =
      "POST /begin HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n";

  @TempDir private Path temporary;
  private final ScheduledExecutorService dribbling = Executors.newSingleThreadScheduledExecutor();
  private final List<Socket> sockets = new ArrayList<>();
  private TestDeployment deployment;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl(1) here");
    deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY);
  }

  @AfterEach
  void stop() throws Exception {
    dribbling.shutdownNow();
    for (Socket socket : sockets) {
      socket.close();
    }
    if (deployment != null) {
      deployment.close();
    }
  }

  private static String url(Path directory) throws IOException {
    return Files.readString(directory.resolve("announce.url")).strip();
  }

  /** How long it took, by its own account: a process that starts slowly is no announcement's. */
  private record Curl(int code, String said, Duration took) {}

  private static Curl announce(Path directory) throws Exception {
    return announce(directory, Map.of());
  }

  private static Curl announce(Path directory, Map<String, String> environment) throws Exception {
    var builder =
        new ProcessBuilder(
                "curl",
                "-K",
                directory.resolve("announce.curl").toString(),
                "-d",
                "app=climate",
                "-w",
                "\n%{time_total}",
                url(directory) + "/begin")
            .redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process curl = builder.start();
    String said = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = curl.waitFor();
    String seconds = said.substring(said.lastIndexOf('\n') + 1);
    return new Curl(code, said, Duration.ofNanos((long) (1e9 * Double.parseDouble(seconds))));
  }

  @Test
  @Tag("timing")
  void twoHundredSlowStrangersDelayNoAnnouncementByASecond() throws Exception {
    URI server = URI.create(url(deployment.directory));
    for (int i = 0; i < STRANGERS; i++) {
      connect(server, i % 2 == 0 ? WITHOUT_END : WITHOUT_BODY);
    }
    var unused = dribbling.scheduleWithFixedDelay(this::dribble, 50, 50, TimeUnit.MILLISECONDS);
    var delays = new ArrayList<Duration>();
    int again = 0;
    try (var quiet = new TestDeployment(temporary.resolve("quiet"), BufferMode.FULL_DELAY)) {
      while (delays.size() < 10) {
        // What a busy machine makes of an announcement that no stranger delays.
        Duration usual = announced(quiet.directory);
        Duration delay = announced(deployment.directory).minus(usual);
        // It may also stand still during one of the two alone: twice in all, not more.
        if (delay.compareTo(MOST) < 0 || ++again > 2) {
          delays.add(delay);
        }
      }
    }
    System.out.println("announcements are delayed by " + delays + ", measured again: " + again);
    assertThat(delays).hasSize(10).allMatch(delay -> delay.compareTo(MOST) < 0);
  }

  /** Each costs a descriptor, which the coordinator's nodes and drivers then do not get. */
  @Test
  @Tag("timing")
  void silentStrangersAreFewAndSoonGone() throws Exception {
    URI server = URI.create(url(deployment.directory));
    for (int i = 0; i < MOST_SILENT + 100; i++) {
      connect(server, "");
    }
    long connected = System.nanoTime();
    Socket last = sockets.get(sockets.size() - 1);
    last.setSoTimeout(20_000);
    assertThat(isEnded(last)).isTrue();
    Socket first = sockets.get(0);
    first.setSoTimeout(1);
    assertThat(isEnded(first)).as("refused, not only timed out with all others").isFalse();

    await().until(() -> announce(deployment.directory).code() == 0);
    for (Socket each : sockets) {
      each.setSoTimeout(20_000);
      assertThat(isEnded(each)).isTrue();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - connected)).isLessThan(LONGEST_SILENCE);
  }

  /** Waits for as long as the socket's timeout. */
  private static boolean isEnded(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true; // reset
    }
  }

  private static Duration announced(Path directory) throws Exception {
    Curl curl = announce(directory);
    assertThat(curl.said()).startsWith("phase of climate is open");
    return curl.took();
  }

  private void connect(URI server, String begin) throws IOException {
    var socket = new Socket(server.getHost(), server.getPort());
    socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
    synchronized (sockets) {
      sockets.add(socket);
    }
  }

  /** A byte each; whoever was cut off comes again. */
  private void dribble() {
    URI server;
    try {
      server = URI.create(url(deployment.directory));
    } catch (IOException e) {
      return; // the test is over
    }
    for (int i = 0; i < STRANGERS; i++) {
      try {
        sockets.get(i).getOutputStream().write('x');
      } catch (IOException e) {
        reconnect(i, server);
      }
    }
  }

  private void reconnect(int index, URI server) {
    try {
      sockets.get(index).close();
      var socket = new Socket();
      socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), 100);
      sockets.set(index, socket);
      socket.getOutputStream().write(WITHOUT_END.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // Again the next time.
    }
  }

  @Test
  void offThisHostTheTokenIsSentToTheDeploymentsOwnServerOnlyAndNeverInTheClear() throws Exception {
    String address = ofANetwork();
    Path first = networked("first", address);
    Path second = temporary.resolve("second");
    try (var server = CoordinatorServer.start(deployment.options())) {
      assertThat(server.address().getHostString()).isEqualTo(address);
      assertThat(url(first)).startsWith("https://" + address + ":");
      await().until(() -> announce(first).code() == 0); // a JVM's first TLS may take too long
      assertThat(announce(first).said()).startsWith("phase of climate is open");
      assertThat(Files.getPosixFilePermissions(first.resolve("announce.pem")))
          .as("nobody else puts a certificate of his own there")
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));

      networked("second", address);
      try (var other = CoordinatorServer.start(deployment.options())) {
        assertThat(other.address()).isNotEqualTo(server.address());
        assertThat(announce(second).code()).isZero();
        // Whoever has taken the port of a coordinator that is gone has another certificate.
        Files.writeString(first.resolve("announce.url"), url(second));
        Curl curl = announce(first);
        assertThat(curl.code()).as(curl.said()).isEqualTo(60);
        assertThat(curl.said()).contains("certificate");
      }
    }
    assertThat(first.resolve("announce.pem")).doesNotExist();
    assertThat(first.resolve("announce.p12")).doesNotExist();
  }

  /** As compute nodes have one in their environment; it would see the token. */
  @Test
  void aSitesProxyIsNotAsked() throws Exception {
    Path networked = networked("networked", ofANetwork());
    try (var proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var server = CoordinatorServer.start(deployment.options())) {
      assertThat(server.address().getPort()).isPositive();
      String named = "http://127.0.0.1:" + proxy.getLocalPort();
      var environment =
          Map.of("http_proxy", named, "https_proxy", named, "all_proxy", named, "no_proxy", "");
      for (Path directory : List.of(deployment.directory, networked)) {
        await().until(() -> announce(directory, environment).code() == 0); // as above
        assertThat(announce(directory, environment).said()).startsWith("phase of climate is open");
      }
      proxy.setSoTimeout(1);
      assertThatThrownBy(proxy::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void aRefusalIsAFailureAlsoToAnOldCurl() throws Exception {
    Path file = deployment.directory.resolve("announce.curl");
    String text = Files.readString(file);
    assertThat(text.lines()).contains("fail").noneMatch(line -> line.startsWith("fail-"));
    Files.writeString(file, text.replaceAll("Bearer [0-9a-f]+", "Bearer 0"));
    Curl curl = announce(deployment.directory);
    assertThat(curl.code()).as(curl.said()).isEqualTo(22);
  }

  private Path networked(String name, String address) {
    Path directory = temporary.resolve(name);
    deployment.set("eley.coordinator.directory", directory.toString());
    deployment.set("eley.coordinator.listen-host", address);
    return directory;
  }

  private static String ofANetwork() throws IOException {
    var found =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(a -> a instanceof Inet4Address && !a.isLoopbackAddress())
            .findFirst();
    assumeTrue(found.isPresent(), "this machine has no address but loopback");
    return found.orElseThrow().getHostAddress();
  }
}
