package io.eley.controller.phase;

/**
 * What a source that answers does not see all the same, for lack of rights or of figures.
 *
 * @param why one line for the operator, with what to ask for; empty when it sees all that it should
 * @param complete whether it sees nobody's bytes: then it is as good as absent, but for what
 *     applications report themselves
 */
public record Blindness(String why, boolean complete) {
  /** It sees all that it should. */
  public static final Blindness NONE = new Blindness("", false);
}
