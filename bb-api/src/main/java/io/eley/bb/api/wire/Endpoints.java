package io.eley.bb.api.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The two ends of a TCP connection. Both processes must see the same: whoever stands between them
 * has two connections, whose ends differ. Nothing may translate addresses on the way.
 *
 * @param client address and port of the one who connected
 * @param server address and port that were connected to
 */
public record Endpoints(InetSocketAddress client, InetSocketAddress server) {
  private static final int LONGEST_ADDRESS = 16;

  public Endpoints {
    if (client.isUnresolved() || server.isUnresolved()) {
      throw new IllegalArgumentException("the ends of a connection have addresses");
    }
  }

  /**
   * Whether both ends are on one host: both are loopback, or one address is both ends. The kernel
   * takes the address that is connected to as the source when it is its own, and drops packets from
   * outside that come with such a source.
   */
  public boolean sameHost() {
    InetAddress from = client.getAddress();
    InetAddress to = server.getAddress();
    return from.equals(to) || (from.isLoopbackAddress() && to.isLoopbackAddress());
  }

  void write(WireWriter out) {
    write(out, client);
    write(out, server);
  }

  static Endpoints read(WireReader in) {
    return new Endpoints(readEnd(in), readEnd(in));
  }

  private static void write(WireWriter out, InetSocketAddress end) {
    out.blob(end.getAddress().getAddress()).i32(end.getPort());
  }

  private static InetSocketAddress readEnd(WireReader in) {
    try {
      var address = InetAddress.getByAddress(in.blob(LONGEST_ADDRESS));
      return new InetSocketAddress(address, in.i32());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address: " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return text(client) + " to " + text(server);
  }

  private static String text(InetSocketAddress end) {
    return end.getAddress().getHostAddress() + ":" + end.getPort();
  }
}
