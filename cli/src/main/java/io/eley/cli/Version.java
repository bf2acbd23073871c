package io.eley.cli;

import io.eley.bb.api.wire.HandshakeMessage;
import picocli.CommandLine.IVersionProvider;

/** What {@code eley --version} prints. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "eley " + (version == null ? "development build" : version),
      "protocol " + HandshakeMessage.VERSION + ", Java " + Runtime.version()
    };
  }
}
