package io.eley.bb.api.wire;

import io.eley.bb.api.ReadCause;
import java.time.Duration;

/** Moving bytes past the buffer, which is origin traffic like any other: client and coordinator. */
public sealed interface FallbackMessage extends Message {
  /**
   * Asks how fast this client may move bytes past the buffer, and reports what it has moved so.
   * Answered by {@link FallbackLane}.
   *
   * @param client tells this client from all others, also from its predecessor in another process
   * @param cause {@code FALLBACK}, {@code DIRECT} or {@code WRITE}: each is asked for, and
   *     reported, by itself
   * @param bytes moved past the buffer for this cause since the client was opened
   * @param answered the {@code bytes} of the last report that was answered, by whichever
   *     coordinator: one that does not know this client counts from there on
   * @param at when this was counted, nanoseconds of the client's monotonic clock, whose origin
   *     nobody else knows
   * @param age how long before that, on average, the bytes moved that are not answered; nanoseconds
   */
  record AskFallback(String client, ReadCause cause, long bytes, long answered, long at, long age)
      implements FallbackMessage {
    public AskFallback {
      if (!cause.pastNodes()) {
        throw new IllegalArgumentException("not a cause of moving bytes past nodes: " + cause);
      }
      if (client.isBlank() || answered < 0 || bytes < answered) {
        throw new IllegalArgumentException(
            "a client needs a name, and cannot have moved less than before");
      }
      if (age < 0) {
        throw new IllegalArgumentException("bytes that are yet to move are not counted");
      }
    }

    @Override
    public MessageType type() {
      return MessageType.ASK_FALLBACK;
    }

    @Override
    public void write(WireWriter out) {
      out.text(client).constant(cause).i64(bytes).i64(answered).i64(at).i64(age);
    }

    static AskFallback read(WireReader in) {
      return new AskFallback(
          in.text(), in.constant(ReadCause.class), in.i64(), in.i64(), in.i64(), in.i64());
    }
  }

  /**
   * How fast a client may move bytes past the buffer.
   *
   * @param bytesPerSecond 0 is not now; {@link io.eley.bb.api.Permit.Lane#UNLIMITED}
   * @param timeToLive how long this holds
   */
  record FallbackLane(long bytesPerSecond, Duration timeToLive) implements FallbackMessage {
    public FallbackLane {
      if (bytesPerSecond < 0 || timeToLive.isNegative()) {
        throw new IllegalArgumentException("not a lane: " + bytesPerSecond + ", " + timeToLive);
      }
    }

    @Override
    public MessageType type() {
      return MessageType.FALLBACK_LANE;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(bytesPerSecond).i64(timeToLive.toMillis());
    }

    static FallbackLane read(WireReader in) {
      return new FallbackLane(in.i64(), Duration.ofMillis(in.i64()));
    }
  }
}
