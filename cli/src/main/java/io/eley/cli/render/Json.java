package io.eley.cli.render;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.eley.bb.api.BufferMode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What verbs print for programs, all in one form: an object whose first field is {@code version},
 * names in camel case with their unit behind them ({@code usedBytes}, {@code uptimeMillis}), times
 * as ISO 8601, and what is not known left out. A field may be added in a version; one that goes or
 * means something else makes a new one.
 */
public final class Json {
  /** Of the form of all documents. */
  public static final int VERSION = 1;

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .registerModule(new SimpleModule().addSerializer(BufferMode.class, new ModeLabel()));

  private Json() {}

  /**
   * A document with one field beside the version.
   *
   * @param name camel case
   * @param value made of records, maps, lists, texts and numbers
   */
  public static String document(String name, Object value) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put(name, value);
    return document(fields);
  }

  /** A document with some fields, in their order. */
  public static String document(Map<String, ?> fields) {
    var all = new LinkedHashMap<String, Object>();
    all.put("version", VERSION);
    all.putAll(fields);
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a document that cannot be written", e);
    }
  }

  /** As people write it. */
  private static final class ModeLabel extends StdSerializer<BufferMode> {
    private static final long serialVersionUID = 1;

    ModeLabel() {
      super(BufferMode.class);
    }

    @Override
    public void serialize(BufferMode mode, JsonGenerator out, SerializerProvider unused)
        throws IOException {
      out.writeString(mode.label());
    }
  }
}
