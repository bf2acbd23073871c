package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.client.StartedRead;
import io.eley.bb.api.config.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Closing a scan, which has a buffer that is lent and the next one on its way. */
class BbInputStreamTest {
  private static final int MIB = 1 << 20;

  private final byte[] content = new byte[5 * MIB];
  private final FillBuffers pool = new FillBuffers(MIB, 4);

  /** The buffers of what was asked for ahead, in turn. */
  private final List<ByteBuffer> asked = new CopyOnWriteArrayList<>();

  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @SuppressWarnings("NullAway.Init") // before each test
  private EleyClient client;

  @BeforeEach
  void open(@TempDir Path origin) throws Exception {
    new Random(1).nextBytes(content);
    Files.write(origin.resolve("f"), content);
    client =
        EleyClient.open(
            ClientOptions.from(Settings.of(Map.of("eley.client.origin", origin.toString()))));
  }

  @AfterEach
  void close() {
    client.close();
  }

  private BbInputStream scan(long heldAt) throws IOException {
    var next = new NextFill((at, target) -> start(at, target, heldAt), pool);
    return new BbInputStream(client.openFile("/f"), new IoCounts(null).reader(), next, () -> {});
  }

  private StartedRead start(long at, ByteBuffer target, long heldAt) {
    asked.add(target);
    if (at == heldAt) {
      inside.countDown();
      await(goOn);
    }
    return new Arrived(at, target);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a node has sent. */
  private final class Arrived implements StartedRead {
    private final long at;
    private final ByteBuffer target;

    Arrived(long at, ByteBuffer target) {
      this.at = at;
      this.target = target;
    }

    @Override
    public boolean underWay() {
      return true;
    }

    @Override
    public int await() {
      target.put(content, (int) at, MIB);
      return MIB;
    }

    @Override
    public void drop(Runnable action) {
      action.run();
    }
  }

  private static byte[] read(BbInputStream in) {
    try {
      byte[] piece = new byte[MIB];
      assertThat(in.read(piece, 0, MIB)).isEqualTo(MIB);
      return piece;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] mib(int number) {
    return Arrays.copyOfRange(content, number * MIB, (number + 1) * MIB);
  }

  @Test
  void aScanGivesItsBuffersBackWhenItIsClosed() throws Exception {
    var in = scan(-1);
    for (int i = 0; i < 3; i++) {
      assertThat(read(in)).isEqualTo(mib(i));
    }
    assertThat(asked).as("the third MiB and the fourth").hasSize(2);
    in.close();
    in.close();
    assertThat(pool.take().buffer()).isSameAs(asked.get(1));
    assertThat(pool.take().buffer()).isSameAs(asked.get(0));
    assertThatThrownBy(() -> in.read()).hasMessageContaining("closed");
    assertThatThrownBy(() -> in.seek(0)).hasMessageContaining("closed");
    in.unbuffer();
  }

  @Test
  void whoClosesDoesNotGiveBackWhatAnotherThreadStillReads() throws Exception {
    var in = scan(3 * MIB);
    assertThat(read(in)).isEqualTo(mib(0));
    assertThat(read(in)).isEqualTo(mib(1));
    var third = CompletableFuture.supplyAsync(() -> read(in));
    await(inside); // with the third MiB in its buffer
    in.close();
    ByteBuffer ofAnother = pool.take().buffer();
    assertThat(ofAnother).isNotSameAs(asked.get(0)).isNotSameAs(asked.get(1));
    goOn.countDown();
    assertThat(third.get()).isEqualTo(mib(2));
    assertThat(pool.take().buffer()).as("given back behind the read").isSameAs(asked.get(1));
    assertThat(pool.take().buffer()).isSameAs(asked.get(0));
  }
}
