package io.eley.spark.connector.shuffle;

import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.MetadataMessage.View;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.spark.api.plugin.PluginContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The question to the driver of an executor that has begun while the coordinator is away: which
 * nodes are there? A driver that has moved intermediate data before knows some. The answer is bytes
 * of a frame, since Spark's message needs no class of ours then.
 */
public final class NodesQuestion {
  private static final Logger LOG = LoggerFactory.getLogger(NodesQuestion.class);
  private static final String WORD = "eley-nodes";

  private static volatile @Nullable PluginContext driver;
  private static volatile @Nullable EleyClient ofDriver;

  private NodesQuestion() {}

  /** Where this JVM's executor asks; its plugin tells, once for each JVM. */
  public static void askThrough(PluginContext context) {
    driver = context;
  }

  /** What this JVM's driver answers from; null for nothing any more. */
  static void answerFrom(@Nullable EleyClient client) {
    ofDriver = client;
  }

  /**
   * Lets a client that knows no view have the driver's. Waits as long as Spark waits for an answer;
   * never fails.
   *
   * @return whether the client knows nodes now
   */
  static boolean ask(EleyClient client) {
    PluginContext to = driver;
    if (to != null && client.knownView().isEmpty()) {
      try {
        if (to.ask(WORD) instanceof byte[] frame && frame.length > 0) {
          client.offerView(decode(ByteBuffer.wrap(frame)));
        }
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt(); // the task was killed meanwhile
        }
        LOG.debug("the driver does not say which nodes there are", e);
      }
    }
    return client.knownView().filter(view -> !view.view().nodes().isEmpty()).isPresent();
  }

  private static View decode(ByteBuffer frame) throws EleyException {
    return (View) Codec.decode(FrameHeader.decode(frame, FrameHeader.MAX_BODY), frame);
  }

  /** On the driver: the answer, or empty when the message is another one. Does not block. */
  public static Optional<byte[]> answer(Object message) {
    if (!WORD.equals(message)) {
      return Optional.empty();
    }
    EleyClient own = ofDriver;
    return Optional.of(
        own == null ? new byte[0] : own.knownView().map(NodesQuestion::encode).orElse(new byte[0]));
  }

  private static byte[] encode(View view) {
    ByteBuffer frame = Codec.encode(view, 0);
    var bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }
}
