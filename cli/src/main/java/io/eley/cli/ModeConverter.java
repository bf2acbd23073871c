package io.eley.cli;

import io.eley.bb.api.BufferMode;
import picocli.CommandLine.ITypeConverter;

/** Modes for picocli. */
final class ModeConverter implements ITypeConverter<BufferMode> {
  @Override
  public BufferMode convert(String text) {
    return Converted.of(() -> BufferMode.of(text));
  }
}
