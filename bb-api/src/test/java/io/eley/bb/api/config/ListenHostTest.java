package io.eley.bb.api.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.ListenHost.Interface;
import io.eley.bb.api.error.EleyException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenHostTest {
  private final ListenHost host =
      new ListenHost(
          List.of(
              interfaceOf("lo", "127.0.0.1", "::1"),
              interfaceOf("eth0", "fe80::1", "2001:db8::7", "192.0.2.7"),
              interfaceOf("ib0", "10.1.2.3")));

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static Interface interfaceOf(String name, String... addresses) {
    return new Interface(name, Arrays.stream(addresses).map(ListenHostTest::address).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "ib0, 10.1.2.3",
    "eth0, 192.0.2.7",
    "lo, 127.0.0.1",
    "10.0.0.0/8, 10.1.2.3",
    "10.1.2.3/32, 10.1.2.3",
    "10.1.2.2/31, 10.1.2.3",
    "192.0.2.0/24, 192.0.2.7",
    "2001:db8::/32, 2001:db8::7",
    "127.0.0.5, 127.0.0.5",
    "0.0.0.0, 0.0.0.0"
  })
  void anInterfaceANetworkOrAnAddressIsNamed(String text, String expected) throws Exception {
    assertThat(host.resolve("k", text)).isEqualTo(address(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.2.0.0/16", "10.0.0.0/33", "10.0.0.0/x", "ib0/8", "/", "no.such.invalid"})
  void whatThisMachineHasNotIsRefusedWithWhatItHas(String text) {
    assertThatThrownBy(() -> host.resolve("eley.node.listen-host", text))
        .isInstanceOf(EleyException.class)
        .hasMessageStartingWith("eley.node.listen-host is '" + text + "'")
        .hasMessageContaining("ib0 [10.1.2.3]");
  }

  @Test
  void theNamesAddressIsTakenUnlessItIsLoopbackAndThereIsOneOther() {
    assertThat(host.byName(address("10.1.2.3"))).isEqualTo(address("10.1.2.3"));
    assertThat(host.byName(address("127.0.1.1")))
        .as("of two the operator chooses")
        .isEqualTo(address("127.0.1.1"));
    var one = new ListenHost(List.of(interfaceOf("lo", "127.0.0.1"), interfaceOf("e", "10.0.0.9")));
    assertThat(one.byName(address("127.0.1.1"))).isEqualTo(address("10.0.0.9"));
  }

  @Test
  void aRouteToLoopbackIsLoopback() throws Exception {
    assertThat(
            ListenHost.routeTo(new InetSocketAddress(address("127.0.0.1"), 9)).isLoopbackAddress())
        .isTrue();
    assertThatThrownBy(
            () -> ListenHost.routeTo(InetSocketAddress.createUnresolved("no.such.invalid", 9)))
        .hasMessageContaining("no.such.invalid");
  }

  @Test
  void thisMachineHasALoopbackInterface() throws Exception {
    var there = ListenHost.ofThisMachine();
    assertThat(there.resolve("k", "127.0.0.0/8").isLoopbackAddress()).isTrue();
  }
}
