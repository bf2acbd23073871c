package io.eley.spark.connector.plan;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.PlanMessage;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a task has read, on its way from an executor to the driver. Spark's messages between plugins
 * are any object; bytes need no class of ours to be loaded.
 */
final class TaskReadReport {
  private static final Logger LOG = LoggerFactory.getLogger(TaskReadReport.class);

  private TaskReadReport() {}

  static byte[] encode(PlanMessage.TaskRead read) {
    return Codec.encode(read, FrameHeader.PUSH).array();
  }

  /** The report that an executor has sent, or empty when nobody can read it. */
  static Optional<PlanMessage.TaskRead> decode(Object message) {
    if (!(message instanceof byte[] bytes)) {
      return Optional.empty();
    }
    var frame = ByteBuffer.wrap(bytes);
    try {
      var header = FrameHeader.decode(frame, FrameHeader.MAX_BODY);
      return Codec.decode(header, frame) instanceof PlanMessage.TaskRead read
          ? Optional.of(read)
          : Optional.empty();
    } catch (EleyException | BufferUnderflowException e) {
      LOG.debug("an executor has sent what nobody can read", e);
      return Optional.empty();
    }
  }
}
