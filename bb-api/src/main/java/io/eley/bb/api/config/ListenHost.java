package io.eley.bb.api.config;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which of this machine's addresses a listener takes. What an operator writes is one of: the name
 * of an interface ({@code ib0}), a network ({@code 10.1.0.0/16}, {@code fd00::/8}), or an address
 * or host name. Nothing listens on the wildcard unless it is written out.
 *
 * @param interfaces of this machine that are up
 */
public record ListenHost(List<Interface> interfaces) {
  /**
   * An interface that is up.
   *
   * @param addresses in the order in which they are preferred
   */
  public record Interface(String name, List<InetAddress> addresses) {
    public Interface {
      addresses =
          addresses.stream()
              .sorted(
                  Comparator.comparing(InetAddress::isLinkLocalAddress)
                      .thenComparing(a -> !(a instanceof Inet4Address)))
              .toList();
    }
  }

  /**
   * This machine's interfaces.
   *
   * @throws EleyException {@code UNAVAILABLE} when the system does not tell them
   */
  public static ListenHost ofThisMachine() throws EleyException {
    try {
      var up = new ArrayList<Interface>();
      for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
        if (each.isUp()) {
          up.add(new Interface(each.getName(), each.inetAddresses().toList()));
        }
      }
      return new ListenHost(up);
    } catch (SocketException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot list the network interfaces: " + e.getMessage(), e);
    }
  }

  /**
   * The address that an operator means. May ask the system's resolver.
   *
   * @param key whose value it is, for the error
   * @throws EleyException {@code UNAVAILABLE} naming the key, the value and the interfaces there
   *     are, when this machine has nothing like it
   */
  public InetAddress resolve(String key, String text) throws EleyException {
    Optional<InetAddress> found =
        text.contains("/")
            ? inNetwork(text)
            : interfaces.stream()
                .filter(i -> i.name().equals(text))
                .flatMap(i -> i.addresses().stream())
                .findFirst();
    if (found.isPresent()) {
      return found.get();
    }
    try {
      if (!text.contains("/")) {
        return InetAddress.getByName(text);
      }
    } catch (UnknownHostException e) {
      // The error below says all.
    }
    throw new EleyException(
        ErrorCode.UNAVAILABLE,
        key + " is '" + text + "', which is none of this machine's: " + described());
  }

  /**
   * Where a service of this machine is found by its name: the address that the name has, or, where
   * that is a loopback address as on many distributions, the only other one there is. With none or
   * several, loopback: the operator has to choose.
   *
   * @param named the address of this machine's name
   */
  public InetAddress byName(InetAddress named) {
    if (!named.isLoopbackAddress()) {
      return named;
    }
    List<InetAddress> others =
        addresses()
            .filter(a -> a instanceof Inet4Address)
            .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress())
            .toList();
    return others.size() == 1 ? others.get(0) : named;
  }

  /**
   * The address that connections to a peer leave from, by the system's routes; sends nothing.
   *
   * @throws EleyException {@code UNAVAILABLE} when there is no route
   */
  public static InetAddress routeTo(InetSocketAddress peer) throws EleyException {
    if (peer.isUnresolved()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "no address is known for the host " + peer.getHostString());
    }
    try (var socket = new DatagramSocket(null)) {
      socket.connect(peer);
      return socket.getLocalAddress();
    } catch (IOException | java.io.UncheckedIOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "no route to " + peer + ": " + e.getMessage(), e);
    }
  }

  private Optional<InetAddress> inNetwork(String network) {
    int slash = network.indexOf('/');
    try {
      // A name before the slash would be asked of the resolver; networks are numbers.
      if (!network.substring(0, slash).matches("[0-9a-fA-F.:]+")) {
        return Optional.empty();
      }
      byte[] prefix = InetAddress.getByName(network.substring(0, slash)).getAddress();
      int bits = Integer.parseInt(network.substring(slash + 1));
      return bits < 0 || bits > 8 * prefix.length
          ? Optional.empty()
          : addresses().filter(a -> begins(a.getAddress(), prefix, bits)).findFirst();
    } catch (UnknownHostException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static boolean begins(byte[] address, byte[] prefix, int bits) {
    if (address.length != prefix.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> bit % 8;
      if ((address[bit / 8] & mask) != (prefix[bit / 8] & mask)) {
        return false;
      }
    }
    return true;
  }

  private Stream<InetAddress> addresses() {
    return interfaces.stream().flatMap(i -> i.addresses().stream());
  }

  private String described() {
    return interfaces.stream()
        .map(i -> i.name() + " " + i.addresses().stream().map(InetAddress::getHostAddress).toList())
        .toList()
        .toString();
  }
}
