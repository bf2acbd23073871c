package io.eley.emulated.pfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.api.wire.Secret;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmulatedPfsOriginTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path temp;
  private Path directory;
  private EmulatedPfs pfs;
  private String address;
  private Origin origin;

  @BeforeEach
  void start() throws Exception {
    directory = Files.createDirectory(temp.resolve("data"));
    Path secretFile = temp.resolve("secret");
    var secret = Secret.create(secretFile);
    pfs = EmulatedPfs.start(EmulatedPfsOptions.of(1L << 40, Duration.ZERO, secret));
    address = new PfsAddress(pfs.address(), directory, secretFile).toString();
    origin = Origins.open(address, "tester");
  }

  @AfterEach
  void stop() {
    origin.close();
    pfs.close();
  }

  private byte[] file(String name, int length) throws Exception {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    Files.write(directory.resolve(name), bytes);
    return bytes;
  }

  private List<PfsEvent> events(PfsOperation operation) {
    return pfs.trace().events().stream()
        .filter(e -> e.operation().equals(operation.name()))
        .toList();
  }

  @Test
  void isFoundByItsSchemeAndTellsItsAddress() {
    assertThat(origin).isInstanceOf(EmulatedPfsOrigin.class);
    assertThat(origin.address()).isEqualTo(address);
  }

  @Test
  void readsTheSameBytesAsTheDirectoryAndPaysForEachOnce() throws Exception {
    byte[] bytes = file("f", 3 * MIB + 12_345);
    try (var file = origin.open("/f")) {
      var target = ByteBuffer.allocate(4 * MIB);
      assertThat(file.read(0, target, ReadCause.PREFETCH)).isEqualTo(bytes.length);
      assertThat(Arrays.copyOf(target.array(), bytes.length)).isEqualTo(bytes);
      assertThat(target.limit()).isEqualTo(target.capacity());

      var part = ByteBuffer.allocate(100);
      assertThat(file.read(MIB - 50, part, ReadCause.DEMAND)).isEqualTo(100);
      assertThat(part.array()).isEqualTo(Arrays.copyOfRange(bytes, MIB - 50, MIB + 50));

      assertThat(file.read(bytes.length, ByteBuffer.allocate(10), ReadCause.DEMAND)).isEqualTo(-1);
      assertThat(file.read(bytes.length + 9L, ByteBuffer.allocate(10), ReadCause.DEMAND))
          .isEqualTo(-1);
    }
    assertThat(events(PfsOperation.READ))
        .extracting(PfsEvent::cause, PfsEvent::bytes)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("PREFETCH", MIB),
            org.assertj.core.api.Assertions.tuple("PREFETCH", MIB),
            org.assertj.core.api.Assertions.tuple("PREFETCH", MIB),
            org.assertj.core.api.Assertions.tuple("PREFETCH", 12_345),
            org.assertj.core.api.Assertions.tuple("DEMAND", 100),
            org.assertj.core.api.Assertions.tuple("DEMAND", 0),
            org.assertj.core.api.Assertions.tuple("DEMAND", 0));
    assertThat(pfs.trace().events()).extracting(PfsEvent::client).containsOnly("tester");
  }

  @Test
  void bytesAddedAfterOpeningArePaidForToo() throws Exception {
    file("f", 100);
    try (var file = origin.open("/f")) {
      file("f", 300);
      assertThat(file.read(0, ByteBuffer.allocate(1000), ReadCause.DIRECT)).isEqualTo(300);
    }
    assertThat(events(PfsOperation.READ)).extracting(PfsEvent::bytes).containsExactly(100, 200);
  }

  @Test
  void writesArePaidForInMebibytesAndArriveUnchanged() throws Exception {
    byte[] bytes = new byte[2 * MIB + 77];
    new Random(1).nextBytes(bytes);
    try (var out = origin.create("/new/f", false)) {
      for (int at = 0; at < bytes.length; at += 1000) {
        out.write(bytes, at, Math.min(1000, bytes.length - at));
      }
    }
    try (var out = origin.append("/new/f")) {
      out.write(7);
    }
    assertThat(Files.readAllBytes(directory.resolve("new/f")))
        .startsWith(bytes)
        .hasSize(bytes.length + 1);
    assertThat(events(PfsOperation.WRITE))
        .extracting(PfsEvent::bytes)
        .containsExactly(MIB, MIB, 77, 1);
  }

  @Test
  void callsWithoutDataCostTheLatencyOnly() throws Exception {
    file("f", 10);
    assertThat(origin.stat("/f").length()).isEqualTo(10);
    assertThat(origin.list("/")).hasSize(1);
    origin.makeDirectories("/d");
    origin.rename("/f", "/d/g");
    origin.delete("/d", true);
    assertThat(directory).isEmptyDirectory();
    assertThat(pfs.trace().events())
        .hasSize(5)
        .allSatisfy(
            e -> {
              assertThat(e.operation()).isEqualTo("META");
              assertThat(e.bytes()).isZero();
            });
  }

  @Test
  void errorsOfTheDirectoryComeThrough() {
    assertThatThrownBy(() -> origin.open("/missing"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void aDeadProcessFailsOpenFilesToo() throws Exception {
    file("f", 10);
    try (var file = origin.open("/f")) {
      pfs.close();
      assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(10), ReadCause.DEMAND))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ORIGIN_FAILED));
    }
  }

  @Test
  void anAddressWithoutSecretOrPortSaysWhatToWrite() {
    for (String bad :
        List.of(
            "emulated://127.0.0.1:1/data",
            "emulated://127.0.0.1/data?secret=/s",
            "emulated:///data?secret=/s",
            "emulated://127.0.0.1:1?secret=/s")) {
      assertThatThrownBy(() -> Origins.open(bad, "t"))
          .as(bad)
          .isInstanceOf(EleyException.class)
          .hasMessageContaining("emulated://127.0.0.1:PORT/DIRECTORY?secret=FILE");
    }
    String missing = address.replaceAll("secret=.*", "secret=" + temp.resolve("none"));
    assertThatThrownBy(() -> Origins.open(missing, "t"))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
  }
}
