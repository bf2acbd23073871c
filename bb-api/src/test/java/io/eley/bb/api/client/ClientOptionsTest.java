package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.client.ClientOptions.Alone;
import io.eley.bb.api.client.ClientOptions.Deployment;
import io.eley.bb.api.client.ClientOptions.Local;
import io.eley.bb.api.client.ClientOptions.Timeouts;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientOptionsTest {
  private static final ClientOptions DEFAULTS =
      new ClientOptions(
          Optional.empty(),
          "",
          "spark",
          0,
          new Timeouts(
              Duration.ofMillis(800),
              Duration.ofMillis(300),
              Duration.ofSeconds(30),
              Duration.ofSeconds(150),
              Duration.ofSeconds(120)),
          new Alone(DataSize.parse("64m"), Duration.ofSeconds(60)),
          2,
          new Local(true, 1024),
          true,
          true);

  @Test
  void withoutSettingsOptionsAreTheDefaults() {
    assertThat(ClientOptions.from(Settings.of(Map.of()))).isEqualTo(DEFAULTS);
  }

  @Test
  void everyKeyReachesItsOption() {
    var values = new HashMap<String, String>();
    values.put("eley.deployment", "/d");
    values.put("eley.deployment.coordinator", "h:1");
    values.put("eley.deployment.secret-file", "/s");
    values.put("eley.network.protection", "encrypt");
    values.put("eley.client.origin", "/pfs");
    values.put("eley.client.name", "me");
    values.put("eley.client.connections", "3");
    values.put("eley.client.connect-timeout", "10ms");
    values.put("eley.client.silence", "14ms");
    values.put("eley.client.request-deadline", "11ms");
    values.put("eley.client.read-deadline", "12ms");
    values.put("eley.client.origin-deadline", "13ms");
    values.put("eley.client.fallback-rate", "1m");
    values.put("eley.delay.max", "7s");
    values.put("eley.client.retries", "20");
    values.put("eley.client.local", "false");
    values.put("eley.client.local.leases", "7");
    values.put("eley.client.verify", "false");
    values.put("eley.client.read-ahead", "false");
    assertThat(ClientOptions.from(Settings.of(values)))
        .isEqualTo(
            new ClientOptions(
                Optional.of(new Deployment("/d", "h:1", "/s", NetworkProtection.ENCRYPT)),
                "/pfs",
                "me",
                3,
                new Timeouts(
                    Duration.ofMillis(10),
                    Duration.ofMillis(14),
                    Duration.ofMillis(11),
                    Duration.ofMillis(12),
                    Duration.ofMillis(13)),
                new Alone(DataSize.parse("1m"), Duration.ofSeconds(7)),
                20,
                new Local(false, 7),
                false,
                false));
    var keys = new ArrayList<ConfigKey<?>>(ClientKeys.all());
    keys.add(NetworkKeys.PROTECTION);
    keys.add(HoldKeys.DELAY_MAX);
    assertThat(keys)
        .extracting(ConfigKey::name)
        .as("a key that is not in this test")
        .containsExactlyInAnyOrderElementsOf(values.keySet());
  }

  @Test
  void aSecretAloneIsNoDeployment() {
    assertThat(
            ClientOptions.from(Settings.of(Map.of("eley.deployment.secret-file", "/s")))
                .deployment())
        .isEmpty();
    assertThat(
            ClientOptions.from(Settings.of(Map.of("eley.deployment.coordinator", "h:1")))
                .deployment())
        .contains(new Deployment("", "h:1", ""));
    assertThat(ClientOptions.from(Settings.of(Map.of("eley.deployment", "/d"))).deployment())
        .contains(new Deployment("/d", "", ""));
  }

  @Test
  void theAddressIsReadAnewEachTime(@TempDir Path directory) throws Exception {
    var deployment = Deployment.in(directory);
    code(ErrorCode.UNAVAILABLE, deployment::address, "no coordinator runs in " + directory);
    Path file = directory.resolve("coordinator.address");
    Files.writeString(file, "127.0.0.1:4711\n");
    assertThat(deployment.address().getPort()).isEqualTo(4711);
    assertThat(deployment.address().getHostString()).isEqualTo("127.0.0.1");
    Files.writeString(file, "::1:4712");
    assertThat(deployment.address().getAddress()).isIn((Object[]) InetAddress.getAllByName("::1"));
    assertThat(deployment.address().getPort()).isEqualTo(4712);
  }

  @Test
  void aCoordinatorThatIsNamedComesBeforeTheDirectory(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("coordinator.address"), "127.0.0.1:1");
    var deployment = new Deployment(directory.toString(), "127.0.0.2:2", "");
    assertThat(deployment.address().getHostString()).isEqualTo("127.0.0.2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"host", "host:", "host:x", "host:65536", "host:-1"})
  void whatIsNoAddressIsQuoted(String text) {
    code(ErrorCode.MALFORMED, new Deployment("", text, "")::address, "'" + text + "'");
  }

  @Test
  void theSecretIsThatOfTheFileThatIsNamedOrOfTheDirectory(@TempDir Path directory)
      throws Exception {
    Secret.create(directory.resolve("secret"));
    assertThat(Deployment.in(directory).secret()).isNotNull();
    Path missing = directory.resolve("elsewhere");
    var named = new Deployment(directory.toString(), "", missing.toString());
    code(ErrorCode.UNAUTHENTICATED, named::secret, "no secret file " + missing);
    Secret.create(missing);
    assertThat(named.secret()).isNotNull();
  }

  @Test
  void aSecretThatIsNotThereIsNamed(@TempDir Path directory) throws Exception {
    code(
        ErrorCode.UNAUTHENTICATED,
        new Deployment("", "h:1", "")::secret,
        "set eley.deployment or eley.deployment.secret-file");
    code(ErrorCode.UNAUTHENTICATED, Deployment.in(directory)::secret, "is the deployment running?");
    Files.writeString(directory.resolve("secret"), "open to others");
    Files.setPosixFilePermissions(
        directory.resolve("secret"),
        java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
    code(ErrorCode.UNAUTHENTICATED, Deployment.in(directory)::secret, "cannot read the secret");
  }

  private static void code(
      ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }
}
