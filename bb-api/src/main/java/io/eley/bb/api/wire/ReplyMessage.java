package io.eley.bb.api.wire;

import io.eley.bb.api.edge.PlainText;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;

/** Answers that any request can get. */
public sealed interface ReplyMessage extends Message {
  /** The request succeeded and has no result. */
  record Ok() implements ReplyMessage {
    @Override
    public MessageType type() {
      return MessageType.OK;
    }

    @Override
    public void write(WireWriter out) {}

    static Ok read(WireReader in) {
      return new Ok();
    }
  }

  /**
   * The request failed.
   *
   * @param code what the requester can do about it
   * @param text one line without a stack trace, escaped; of at most 1000 characters before that
   */
  record Failure(ErrorCode code, String text) implements ReplyMessage {
    public Failure {
      text = PlainText.escape(text.length() > 1000 ? text.substring(0, 1000) : text);
    }

    /**
     * Says how a request has failed. That a thread of ours was interrupted ends no task of theirs.
     */
    public static Failure of(EleyException e) {
      ErrorCode code = e.code() == ErrorCode.INTERRUPTED ? ErrorCode.UNAVAILABLE : e.code();
      return new Failure(code, String.valueOf(e.getMessage()));
    }

    public EleyException toException() {
      return new EleyException(code, text);
    }

    @Override
    public MessageType type() {
      return MessageType.FAILURE;
    }

    @Override
    public void write(WireWriter out) {
      out.i32(code.wire()).text(text);
    }

    static Failure read(WireReader in) {
      return new Failure(ErrorCode.ofWire(in.i32()), in.text());
    }
  }
}
