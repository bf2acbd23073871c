package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostIdentityTest {
  @Test
  void whatTheOperatorSaysComesFirst() {
    assertThat(HostIdentity.advertisedHost("ib0.node7", "0.0.0.0", "10.0.0.7"))
        .isEqualTo("ib0.node7");
  }

  @Test
  void anAddressListenedOnAloneIsAdvertised() {
    assertThat(HostIdentity.advertisedHost("", "127.0.0.5", "127.0.0.1")).isEqualTo("127.0.0.5");
  }

  @Test
  void aWildcardIsReplacedByTheAddressTheCoordinatorIsReachedFrom() {
    assertThat(HostIdentity.advertisedHost("", "0.0.0.0", "10.0.0.7")).isEqualTo("10.0.0.7");
    assertThat(HostIdentity.advertisedHost(" ", "::", "10.0.0.7")).isEqualTo("10.0.0.7");
  }

  @Test
  void theMachineIsTheSameEachTime() {
    assertThat(HostIdentity.machine()).isEqualTo(HostIdentity.machine());
  }
}
