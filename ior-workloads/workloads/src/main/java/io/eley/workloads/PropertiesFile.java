package io.eley.workloads;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** Spark's configuration in a file that only its owner can read, since it holds a secret. */
final class PropertiesFile {
  private PropertiesFile() {}

  /** Writes a new file, replacing an old one; mode 0600 from its first moment on. */
  static void write(Path file, Map<String, String> values) throws IOException {
    var properties = new Properties();
    properties.putAll(values);
    var text = new StringWriter();
    properties.store(text, null);
    Files.deleteIfExists(file);
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (var channel =
        Files.newByteChannel(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)) {
      var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }
}
