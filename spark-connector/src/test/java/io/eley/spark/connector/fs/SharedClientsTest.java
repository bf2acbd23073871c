package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.client.ClientCounters.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What a JVM's clients have read, whether they are closed or not. */
@Isolated("it counts what all of this JVM read")
class SharedClientsTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path origin;

  private BbFileSystem open() throws Exception {
    return open(origin.toString());
  }

  private static BbFileSystem open(String address) throws Exception {
    var conf = new Configuration(false);
    conf.set("eley.client.origin", address);
    var fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), conf);
    return fs;
  }

  private static void readAll(BbFileSystem fs) throws Exception {
    try (var in = fs.open(new org.apache.hadoop.fs.Path("bb:///f"))) {
      assertThat(in.readAllBytes()).hasSize(MIB);
    }
  }

  /** As tasks do that have file systems of their own, or none cached. */
  @Test
  void theBytesOfClosedClientsStayCounted() throws Exception {
    Files.write(origin.resolve("f"), new byte[MIB]);
    long before = SharedClients.bytes(Source.values());
    for (int i = 1; i <= 2; i++) {
      try (var fs = open()) {
        readAll(fs);
        assertThat(SharedClients.bytes(Source.values()) - before).isEqualTo((long) i * MIB);
      }
      assertThat(SharedClients.bytes(Source.values()) - before).isEqualTo((long) i * MIB);
    }
    long bySource = Arrays.stream(Source.values()).mapToLong(SharedClients::bytes).sum();
    assertThat(bySource - before).isEqualTo(2 * MIB);
  }

  /** As in a server that does each user's work as that user: an origin has rights and owners. */
  @Test
  void eachUserOpensTheOriginHimselfWhoeverUsesItFirst() throws Exception {
    var file = new org.apache.hadoop.fs.Path("bb:///f");
    var ann = UserGroupInformation.createRemoteUser("ann");
    var bob = UserGroupInformation.createRemoteUser("bob");
    try (var annes = openAs(ann);
        var bobs = openAs(bob);
        var another = openAs(ann)) {
      for (var fs : List.of(annes, bobs, another)) {
        fs.create(file, true).close(); // on a thread that is neither's
      }
    }
    assertThat(CountedOrigin.calls(origin).users).containsExactly("ann", "bob");
  }

  private BbFileSystem openAs(UserGroupInformation user) throws Exception {
    PrivilegedExceptionAction<BbFileSystem> opening = () -> open("counted://" + origin);
    return user.doAs(opening);
  }

  /** As of a session that ends while its name node or its coordinator hangs. */
  @Test
  @Timeout(60)
  void aClientThatIsLongInClosingKeepsNobodyElseWaiting(@TempDir Path elsewhere) throws Exception {
    var file = new org.apache.hadoop.fs.Path("bb:///f");
    var closing = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    CountedOrigin.calls(elsewhere)
        .before
        .put(
            "close",
            path -> {
              closing.countDown();
              goOn.await();
            });
    BbFileSystem slow = open("counted://" + elsewhere);
    slow.create(file).close();
    var end = new FutureTask<>(Executors.callable(() -> closed(slow)));
    new Thread(end, "closes-long").start();
    try (var other = open()) {
      closing.await();
      other.create(file).close();
      assertThat(SharedClients.bytes(Source.values())).isNotNegative();
    } finally {
      goOn.countDown();
    }
    end.get();
  }

  private static void closed(BbFileSystem fs) {
    try {
      fs.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aClientThatIsSharedIsCountedOnce() throws Exception {
    Files.write(origin.resolve("f"), new byte[MIB]);
    long before = SharedClients.bytes(Source.values());
    try (var one = open()) {
      try (var other = open()) {
        readAll(other);
      }
      readAll(one);
      assertThat(SharedClients.bytes(Source.values()) - before).isEqualTo(2 * MIB);
    }
    assertThat(SharedClients.bytes(Source.values()) - before).isEqualTo(2 * MIB);
  }
}
