package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.eley.bb.api.client.ClientCounters.Source;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Real processes that run out of heap or of descriptors: one line in the log, right bytes
 * throughout, and the buffer serves again when the cause is gone.
 */
@Timeout(120)
@Tag("slow")
class ScarceResourcesTest {
  private static final int STRANGERS = 60;

  @TempDir private Path temp;
  private Logger supervisor;
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();
  private StarvedDeployment deployment;
  private final List<SocketChannel> strangers = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    deployment = new StarvedDeployment(temp);
    supervisor = (Logger) LoggerFactory.getLogger(Supervisor.class);
    said.start();
    supervisor.addAppender(said);
  }

  @AfterEach
  void stop() throws IOException {
    for (SocketChannel stranger : strangers) {
      stranger.close();
    }
    deployment.close();
    supervisor.detachAppender(said);
  }

  private List<ILoggingEvent> said() {
    synchronized (said) { // as appending is
      return List.copyOf(said.list);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-1", "coordinator"})
  void whatIsOutOfHeapEndsWithOneLineAndIsStartedAgainWhileReadsGoOn(String name) throws Exception {
    try (var client = deployment.client()) {
      deployment.requireRightBytes(client);
      var hungry = deployment.process(name);
      int before = deployment.log(name).size();
      Files.createFile(HungryProcesses.order(temp, name.replace("-1", "")));
      while (PidFile.alive(hungry)) {
        deployment.requireRightBytes(client);
      }
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                deployment.requireRightBytes(client);
                return new PidFile(deployment.files().pidFile(name))
                    .running()
                    .filter(process -> !process.equals(hungry))
                    .isPresent();
              });
      assertThat(said())
          .extracting(ILoggingEvent::getFormattedMessage)
          .filteredOn(line -> line.startsWith(name + " has ended after "))
          .singleElement(STRING)
          .contains(" with 3; ");
      assertThat(deployment.log(name).subList(before, deployment.log(name).size()))
          .filteredOn(line -> line.contains("OutOfMemoryError"))
          .containsExactly("Terminating due to java.lang.OutOfMemoryError: Java heap space");
    }
    deployment.awaitServed();
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-1", "coordinator"})
  void whatIsOutOfDescriptorsSaysSoOnceAndReadsGoToTheOriginUntilThereAreSome(String name)
      throws Exception {
    var starved = deployment.process(name);
    try (var early = deployment.client()) {
      deployment.requireRightBytes(early);
      assertThat(deployment.problems(name)).isEmpty();
      Prlimit.descriptors(starved, descriptors(starved) + 4);
      connectStrangers(name);
      await().until(() -> !deployment.problems(name).isEmpty());

      Duration cpu = starved.info().totalCpuDuration().orElseThrow();
      long began = System.nanoTime();
      deployment.requireRightBytes(early);
      try (var late = deployment.client()) {
        deployment.requireRightBytes(late);
        assertThat(late.counters().bytes(Source.FALLBACK)).as("it was starved").isPositive();
      }
      await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
      var took = Duration.ofNanos(System.nanoTime() - began);
      assertThat(starved.info().totalCpuDuration().orElseThrow().minus(cpu))
          .as("processor time in %s", took)
          .isLessThan(took.dividedBy(2));
      deployment.requireRightBytes(early);
      assertThat(deployment.problems(name))
          .hasSize(1)
          .allMatch(line -> line.contains("no connection can be accepted (Too many open files)"));
    }
    Prlimit.descriptors(starved, 4096);
    deployment.awaitServed();
    assertThat(deployment.process(name)).as("the same process").isEqualTo(starved);
  }

  @Test
  void aClientThatIsOutOfDescriptorsReadsOnAndASecondOneFailsClearly() throws Exception {
    try (var job = new StarvedJob(deployment)) {
      Prlimit.descriptors(job.process(), descriptors(job.process()));
      job.requireRightBytes(false);
      // Whatever it has given back meanwhile: its standard streams take the first three.
      Prlimit.descriptors(job.process(), 3);
      assertThat(job.openAnother()).contains("Too many open files");
    }
  }

  @Test
  void aNodeWithoutADescriptorTakesNoBlockForDamagedAndNoRamDiskForFull() throws Exception {
    var starved = deployment.process("node-1");
    try (var client = deployment.client()) {
      deployment.requireRightBytes(client, 0);
      Prlimit.descriptors(starved, descriptors(starved));
      // Until it has been asked: a client for whom it stands still reads past it.
      await()
          .until(
              () -> {
                deployment.requireRightBytes(client);
                return !deployment.problems("node-1").isEmpty();
              });
      assertThat(client.counters().bytes(Source.FALLBACK)).as("it was starved").isPositive();
    }
    Prlimit.descriptors(starved, 4096);
    deployment.awaitServed();
    assertThat(deployment.process("node-1")).as("the same process").isEqualTo(starved);
    assertThat(deployment.problems("node-1"))
        .singleElement(STRING)
        .contains("out of descriptors: files cannot be opened");
  }

  private static long descriptors(ProcessHandle process) throws IOException {
    try (var open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return open.count();
    }
  }

  private void connectStrangers(String name) throws Exception {
    InetSocketAddress address;
    try (var coordinator = LocalDeployment.connect(deployment.files())) {
      var node = coordinator.view().view().nodes().get(0);
      String[] own =
          Files.readString(deployment.files().coordinatorAddress()).strip().split(":", -1);
      address =
          name.equals("coordinator")
              ? new InetSocketAddress(own[0], Integer.parseInt(own[1]))
              : new InetSocketAddress(node.host(), node.port());
    }
    for (int i = 0; i < STRANGERS; i++) {
      strangers.add(SocketChannel.open(address));
    }
  }
}
