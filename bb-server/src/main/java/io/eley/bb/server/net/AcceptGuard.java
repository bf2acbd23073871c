package io.eley.bb.server.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a listening socket does when no connection can be accepted, for lack of descriptors mostly.
 * The connection stays in the kernel's queue, so the socket stays readable: trying again at once
 * would take a whole core until somebody closes something. So it waits a moment between two tries.
 * Connections that are open go on meanwhile.
 *
 * <p>One line when it begins and one when it is over, which is when nothing has failed for some
 * time: at the limit each descriptor that is closed lets one connection in. On the socket's event
 * loop only.
 */
final class AcceptGuard extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptGuard.class);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration CALM = Duration.ofSeconds(10);

  private boolean failing;
  private long failedAt;

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (failing && System.nanoTime() - failedAt > CALM.toNanos()) {
      failing = false;
      LOG.info("connections are accepted again");
    }
    context.fireChannelRead(accepted);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    failedAt = System.nanoTime();
    if (!failing) {
      failing = true;
      LOG.warn(
          "no connection can be accepted ({}): tried again until one can, those that are open go on",
          cause.getMessage());
    }
    context.channel().config().setAutoRead(false);
    var unused =
        context
            .executor()
            .schedule(
                () -> context.channel().config().setAutoRead(true),
                PAUSE.toMillis(),
                TimeUnit.MILLISECONDS);
  }
}
