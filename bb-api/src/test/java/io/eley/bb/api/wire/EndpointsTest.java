package io.eley.bb.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointsTest {
  static Endpoints between(String client, String server) {
    return new Endpoints(at(client, 40_000), at(server, 4711));
  }

  private static InetSocketAddress at(String address, int port) {
    try {
      return new InetSocketAddress(InetAddress.getAllByName(address)[0], port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.5, true",
    "::1, ::1, true",
    "10.0.0.1, 10.0.0.1, true",
    "fd00::1, fd00::1, true",
    "10.0.0.1, 10.0.0.2, false",
    "127.0.0.1, 10.0.0.2, false",
    "10.0.0.1, 127.0.0.1, false",
    "fd00::1, fd00::2, false",
    "0.0.0.0, 127.0.0.1, false"
  })
  void bothEndsAreOnOneHostWhenTheyHaveOneAddressOrAreLoopback(
      String client, String server, boolean same) {
    assertThat(between(client, server).sameHost()).isEqualTo(same);
  }

  @Test
  void anAddressWithoutNumberIsNoEnd() {
    var nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
    assertThatThrownBy(() -> new Endpoints(nowhere, at("10.0.0.1", 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theTextNamesBothEnds() {
    assertThat(between("10.0.0.1", "10.0.0.2")).hasToString("10.0.0.1:40000 to 10.0.0.2:4711");
  }
}
