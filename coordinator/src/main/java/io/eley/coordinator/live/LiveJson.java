package io.eley.coordinator.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/** The document as JSON. Safe for several threads. */
public final class LiveJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private LiveJson() {}

  /** One line. */
  public static String write(LiveDocument document) {
    try {
      return MAPPER.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a document that cannot be written", e);
    }
  }

  /**
   * Reads a document, also one of a later coordinator that says more.
   *
   * @throws IOException in one line when it is none, or of a format that is not known here
   */
  public static LiveDocument read(String json) throws IOException {
    LiveDocument document;
    try {
      document = MAPPER.readValue(json, LiveDocument.class);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException("the coordinator's answer is no live document", e);
    }
    if (document == null || document.version() > LiveDocument.VERSION) {
      throw new IOException("the coordinator is newer than this command: use its release's eley");
    }
    return document;
  }
}
