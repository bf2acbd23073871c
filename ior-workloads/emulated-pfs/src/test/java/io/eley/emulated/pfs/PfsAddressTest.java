package io.eley.emulated.pfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PfsAddressTest {
  private static PfsAddress at(Path directory, Path secretFile) throws Exception {
    byte[] local = {127, 0, 0, 1};
    return new PfsAddress(
        new InetSocketAddress(InetAddress.getByAddress(local), 7001), directory, secretFile);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/d/my dir", "/d/50%", "/d/a%41", "/d/x#y", "/d/x?y", "/d/R&D", "/d/a+b", "/d/ö"})
  void anyNameComesBack(String name) throws Exception {
    var address = at(Path.of(name), Path.of(name, "secret"));
    assertThat(PfsAddress.parse(URI.create(address.toString()))).isEqualTo(address);
  }

  @Test
  void aPlainNameIsWrittenAsItIs() throws Exception {
    assertThat(at(Path.of("/d/a"), Path.of("/s")).toString())
        .isEqualTo("emulated://127.0.0.1:7001/d/a?secret=/s");
  }
}
