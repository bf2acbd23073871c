package io.eley.bb.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.wire.ScratchMessage;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads of a socket by a peer that fills them, and by one that drips. */
@SuppressWarnings("deprecation") // Netty's interface still speaks in terms of it
class ReceiveSizesTest {
  private static final int PIECE = ScratchMessage.PIECE_MAX;
  private static final int MESSAGES_MOST = 64 << 10;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private int awaited;
  private RecvByteBufAllocator.Handle sizes;

  @BeforeEach
  void make() {
    sizes = new ReceiveSizes(() -> awaited).newHandle();
  }

  /** One turn of the event loop with one read, of which so many bytes come. */
  private int read(int most) {
    sizes.reset(channel.config());
    var buffer = sizes.allocate(UnpooledByteBufAllocator.DEFAULT);
    int size = buffer.writableBytes();
    buffer.release();
    sizes.attemptedBytesRead(size);
    sizes.lastBytesRead(Math.min(size, most));
    sizes.incMessagesRead(1);
    sizes.readComplete();
    return size;
  }

  private void fillPayloads() {
    awaited = PIECE;
    for (int i = 0; i < 20; i++) {
      read(Integer.MAX_VALUE);
    }
  }

  @Test
  void messagesAreReadByAtMostSixtyFourKibibytesHoweverManyWait() {
    for (int i = 0; i < 50; i++) {
      assertThat(read(Integer.MAX_VALUE)).isLessThanOrEqualTo(MESSAGES_MOST);
    }
  }

  @Test
  void aPayloadIsReadAtOnceByAPeerThatFillsItAndNeverBeyondItsEnd() {
    fillPayloads();
    assertThat(read(Integer.MAX_VALUE)).isEqualTo(PIECE);
    awaited = 1000;
    assertThat(read(Integer.MAX_VALUE)).isEqualTo(1000);
    awaited = 0;
    assertThat(read(Integer.MAX_VALUE)).isLessThanOrEqualTo(MESSAGES_MOST);
  }

  @Test
  void aPeerThatDripsIsGivenLittle() {
    fillPayloads();
    for (int i = 0; i < 40; i++) {
      read(10);
    }
    assertThat(read(10)).isLessThanOrEqualTo(1024);
  }

  @Test
  void messagesBetweenPiecesDoNotMakePayloadsSmall() {
    fillPayloads();
    awaited = 0;
    for (int i = 0; i < 40; i++) {
      read(60);
    }
    awaited = PIECE;
    assertThat(read(Integer.MAX_VALUE)).isEqualTo(PIECE);
  }
}
