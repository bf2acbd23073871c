package io.eley.ior;

import io.eley.bb.api.config.DataSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an option as a size such as {@code 64m}; the message about a bad one is Eley's own. */
public final class SizeConverter implements ITypeConverter<DataSize> {
  @Override
  public DataSize convert(String text) {
    try {
      return DataSize.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
