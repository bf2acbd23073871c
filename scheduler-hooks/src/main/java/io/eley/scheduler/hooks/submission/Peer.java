package io.eley.scheduler.hooks.submission;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import jdk.net.ExtendedSocketOptions;

/**
 * Who is at the other end of a local socket. The kernel says it (SO_PEERCRED): of a client whoever
 * has connected, of a server whoever listens.
 */
final class Peer {
  private static final long ROOT = 0;

  private Peer() {}

  /**
   * Requires root or one other user.
   *
   * @throws EleyException {@code ACCESS_DENIED} that names who it is
   */
  static void requireRootOr(long uid, SocketChannel channel) throws IOException, EleyException {
    UserPrincipal there = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    if (!List.of(user(ROOT), user(uid)).contains(there)) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "user " + there.getName() + " is at the other end");
    }
  }

  private static UserPrincipal user(long uid) throws IOException {
    // The service takes a number where no name is spelled like it.
    return FileSystems.getDefault()
        .getUserPrincipalLookupService()
        .lookupPrincipalByName(Long.toString(uid));
  }
}
