package io.eley.emulated.pfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("slow")
class EmulatedPfsTest {
  private static final int MIB = 1 << 20;

  /** Without a name, so that it is written as numbers. */
  private static final byte[] LOCAL = {127, 0, 0, 1};

  private final Secret secret = Secret.random();

  private EmulatedPfs start(long bytesPerSecond, Duration latency) throws EleyException {
    return EmulatedPfs.start(EmulatedPfsOptions.of(bytesPerSecond, latency, secret));
  }

  private EmulatedPfsClient connect(EmulatedPfs pfs, String label) throws EleyException {
    return EmulatedPfsClient.connect(pfs.address(), secret, label);
  }

  /**
   * What came of clients that ask for more than there is.
   *
   * @param ones grants of the client that has one request outstanding, of the first 60
   * @param micros from the first grant to the last
   */
  private record Shared(double seconds, long ones, long micros) {
    /** Soon enough, and half of it each client's while both ask. */
    void assertAsPromised() {
      assertThat(seconds).isLessThanOrEqualTo(4.0);
      assertThat(ones).as("of the first 60 grants").isCloseTo(30L, within(12L));
      assertThat(micros).isLessThanOrEqualTo(4_000_000L);
    }

    boolean isAsPromised() {
      try {
        assertAsPromised();
        return true;
      } catch (AssertionError e) {
        return false;
      }
    }
  }

  /** On a busy machine a client may come late to ask: then all is done again, twice at most. */
  @Test
  void allClientsTogetherGetTheCapacityInEqualShares() throws Exception {
    Shared shared = share();
    for (int again = 0; again < 2 && !shared.isAsPromised(); again++) {
      shared = share();
    }
    shared.assertAsPromised();
  }

  private Shared share() throws Exception {
    try (var pfs = start(100L * MIB, Duration.ZERO);
        var first = connect(pfs, "one outstanding");
        var second = connect(pfs, "four outstanding")) {
      long begin = System.nanoTime();
      long stream = second.newStream();
      var threads = new ArrayList<Callable<Void>>();
      threads.add(() -> ask(first, first.newStream(), 50));
      for (int i = 0; i < 4; i++) {
        threads.add(() -> ask(second, stream, 25));
      }
      allOf(threads);
      double seconds = (System.nanoTime() - begin) / 1e9;
      // 150 MiB at 100 MiB/s: no sooner, whatever the machine does.
      assertThat(seconds).isGreaterThanOrEqualTo(1.49);
      var events = pfs.trace().events();
      assertThat(events).hasSize(150);
      long ones = events.subList(0, 60).stream().filter(e -> e.client().startsWith("one")).count();
      long micros = events.get(149).epochMicros() - events.get(0).epochMicros();
      assertThat(micros).isGreaterThanOrEqualTo(1_480_000L);
      return new Shared(seconds, ones, micros);
    }
  }

  @Test
  void aRequestIsNeverGrantedBeforeItsTime() throws Exception {
    try (var pfs = start(100L * MIB, Duration.ofMillis(20));
        var client = connect(pfs, "c")) {
      long begin = System.nanoTime();
      client.grant(client.newStream(), "DEMAND", PfsOperation.META, 0);
      client.grant(client.newStream(), "DEMAND", PfsOperation.READ, MIB);
      assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(50_000_000);
    }
  }

  @Test
  void everyGrantIsRecordedWithItsTimeClientCauseAndSize() throws Exception {
    try (var pfs = start(1L << 40, Duration.ZERO);
        var node = connect(pfs, "node");
        var ior = connect(pfs, "ior")) {
      long before = System.currentTimeMillis() * 1000;
      node.grant(node.newStream(), "PREFETCH", PfsOperation.READ, 4096);
      ior.grant(ior.newStream(), "HPC", PfsOperation.WRITE, MIB);
      long after = (System.currentTimeMillis() + 1) * 1000;

      var events = ior.trace();
      assertThat(events)
          .extracting(PfsEvent::client, PfsEvent::cause, PfsEvent::operation, PfsEvent::bytes)
          .containsExactly(
              tuple("node", "PREFETCH", "READ", 4096), tuple("ior", "HPC", "WRITE", MIB));
      assertThat(events).allSatisfy(e -> assertThat(e.epochMicros()).isBetween(before, after));
    }
  }

  @Test
  void aLargeCallIsPaidForInMebibytes() throws Exception {
    try (var pfs = start(1L << 40, Duration.ZERO);
        var ior = connect(pfs, "ior")) {
      var stream = new PacedStream(ior);
      stream.payWrite("HPC", 2L * MIB + 5);
      stream.payRead("HPC", 0);
      stream.payCall("HPC");
      assertThat(ior.trace())
          .extracting(PfsEvent::operation, PfsEvent::bytes)
          .containsExactly(
              tuple("WRITE", MIB),
              tuple("WRITE", MIB),
              tuple("WRITE", 5),
              tuple("READ", 0),
              tuple("META", 0));
    }
  }

  @Test
  void aLongTraceComesInPages() throws Exception {
    try (var pfs = start(1L << 50, Duration.ZERO);
        var client = connect(pfs, "c")) {
      int events = 2 * PfsMessage.PAGE_EVENTS + 10;
      long stream = client.newStream();
      var threads = new ArrayList<Callable<Void>>();
      for (int i = 0; i < 2; i++) {
        threads.add(() -> ask(client, stream, events / 2));
      }
      allOf(threads);
      assertThat(client.trace()).hasSize(events);
      var tail = client.traceFrom(events - 3);
      assertThat(tail.first()).isEqualTo(events - 3);
      assertThat(tail.events()).hasSize(3);
    }
  }

  @Test
  void anotherSecretIsRefused() throws Exception {
    try (var pfs = start(MIB, Duration.ZERO)) {
      assertThatThrownBy(() -> EmulatedPfsClient.connect(pfs.address(), Secret.random(), "x"))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    }
  }

  @Test
  void whenTheProcessDiesEveryWaitingAndLaterCallGetsOneClearError() throws Exception {
    var pfs = start(1, Duration.ZERO);
    try (var client = connect(pfs, "c")) {
      var threads = Executors.newFixedThreadPool(3);
      try {
        var waiting = new ArrayList<Future<?>>();
        for (int i = 0; i < 3; i++) {
          waiting.add(threads.submit(() -> ask(client, client.newStream(), 1)));
        }
        pfs.close();
        for (var call : waiting) {
          assertThatThrownBy(call::get).cause().satisfies(EmulatedPfsTest::isOriginFailed);
        }
        assertThatThrownBy(() -> ask(client, 1, 1)).satisfies(EmulatedPfsTest::isOriginFailed);
        assertThatThrownBy(client::trace).satisfies(EmulatedPfsTest::isOriginFailed);
      } finally {
        threads.shutdownNow();
      }
    }
  }

  @Test
  void anAbsentServerIsOneClearError() throws Exception {
    int port;
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
    }
    assertThatThrownBy(
            () ->
                EmulatedPfsClient.connect(
                    new InetSocketAddress(InetAddress.getByAddress(LOCAL), port), secret, "c"))
        .satisfies(EmulatedPfsTest::isOriginFailed)
        .hasMessageContaining("127.0.0.1:" + port);
  }

  @Test
  void aServerThatAcceptsAndSaysNothingDoesNotHoldTheClient() throws Exception {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(
              () ->
                  EmulatedPfsClient.connect(
                      new InetSocketAddress(
                          InetAddress.getLoopbackAddress(), silent.getLocalPort()),
                      secret,
                      "c",
                      Duration.ofMillis(200)))
          .satisfies(EmulatedPfsTest::isOriginFailed);
    }
  }

  @Test
  void aGrantThatNeverComesIsGivenUp() throws Exception {
    try (var pfs = start(1, Duration.ZERO);
        var client =
            EmulatedPfsClient.connect(pfs.address(), secret, "c", Duration.ofMillis(2500))) {
      assertThatThrownBy(() -> ask(client, 1, 1))
          .satisfies(EmulatedPfsTest::isOriginFailed)
          .hasMessageContaining("2500 ms");
    }
  }

  @Test
  void aClientThatLeavesTakesItsQueueWithIt() throws Exception {
    // 1 MiB takes a second: twenty queued requests would hold the other client for long.
    try (var pfs = start(20L * MIB, Duration.ZERO);
        var stays = connect(pfs, "stays")) {
      var threads = Executors.newFixedThreadPool(20);
      try (var leaves = connect(pfs, "leaves")) {
        for (int i = 0; i < 20; i++) {
          var unused = threads.submit(() -> ask(leaves, leaves.newStream(), 100));
        }
        ask(stays, 1, 1);
      } finally {
        threads.shutdownNow();
      }
      long before = pfs.trace().recorded();
      ask(stays, 1, 20);
      assertThat(pfs.trace().recorded() - before).isLessThan(20 + 25);
    }
  }

  @Test
  void garbageClosesOnlyItsOwnConnection() throws Exception {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed " + seed);
    var random = new Random(seed);
    try (var pfs = start(1L << 40, Duration.ZERO);
        var good = connect(pfs, "good")) {
      for (int i = 0; i < 50; i++) {
        byte[] garbage = new byte[1 + random.nextInt(2000)];
        random.nextBytes(garbage);
        sendAndWaitForClose(pfs.address(), garbage);
      }
      ask(good, 1, 10);
      assertThat(good.trace()).hasSize(10);
    }
  }

  /** A key whose channel the other thread closes right after it was found to be valid. */
  private static final class ClosingKey extends SelectionKey {
    @Override
    public SelectableChannel channel() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Selector selector() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isValid() {
      return true;
    }

    @Override
    public void cancel() {}

    @Override
    public int interestOps() {
      throw new CancelledKeyException();
    }

    @Override
    public SelectionKey interestOps(int ops) {
      throw new CancelledKeyException();
    }

    @Override
    public int readyOps() {
      throw new CancelledKeyException();
    }
  }

  @Test
  void aConnectionThatTheOtherThreadClosesDoesNotEndTheServer() throws Exception {
    try (var pfs = start(MIB, Duration.ZERO)) {
      assertThatCode(() -> pfs.handle(new ClosingKey())).doesNotThrowAnyException();
    }
  }

  @Test
  void randomBytesAreNeverMoreThanAMalformedMessage() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed " + seed);
    var random = new Random(seed);
    int decoded = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 0) {
        bytes[0] = (byte) random.nextInt(7);
      }
      try {
        PfsMessage.decode(ByteBuffer.wrap(bytes));
        decoded++;
      } catch (EleyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED);
      }
    }
    assertThat(decoded).isLessThan(20_000);
  }

  @Test
  void aRequestAboveTheLimitIsRefused() throws Exception {
    try (var pfs = start(1L << 40, Duration.ZERO);
        var client = connect(pfs, "c")) {
      assertThatThrownBy(() -> client.grant(1, "HPC", PfsOperation.READ, MIB + 1))
          .satisfies(EmulatedPfsTest::isOriginFailed);
      assertThat(pfs.trace().events()).isEmpty();
    }
  }

  @Test
  void aPortInUseIsOneClearError() throws Exception {
    try (var pfs = start(MIB, Duration.ZERO)) {
      var options =
          new EmulatedPfsOptions(MIB, MIB, Duration.ZERO, pfs.address().getPort(), 10, secret);
      assertThatThrownBy(() -> EmulatedPfs.start(options))
          .isInstanceOf(EleyException.class)
          .hasMessageContaining("in use");
    }
  }

  private static Void ask(EmulatedPfsClient client, long stream, int times) throws EleyException {
    for (int i = 0; i < times; i++) {
      client.grant(stream, "HPC", PfsOperation.WRITE, MIB);
    }
    return null;
  }

  private static void allOf(List<Callable<Void>> calls) throws Exception {
    var threads = Executors.newFixedThreadPool(calls.size());
    try {
      for (var call : threads.invokeAll(calls)) {
        call.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void isOriginFailed(Throwable error) {
    assertThat(error)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_FAILED));
  }

  /** Closes its own end for writing too, so that a server waiting for more does not wait on. */
  private static void sendAndWaitForClose(InetSocketAddress server, byte[] bytes)
      throws IOException {
    try (var socket = new Socket(server.getAddress(), server.getPort())) {
      try {
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      } catch (IOException e) {
        assertThat(e).isInstanceOf(java.net.SocketException.class);
      }
    }
  }
}
