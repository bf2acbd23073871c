package io.eley.controller.phase;

/**
 * What a source that answers does not see all the same, for lack of rights or of figures, and what
 * it does see.
 *
 * @param why one line for the operator, with what to ask for; empty when it sees all that it should
 * @param complete whether it sees nobody's bytes: then it is as good as absent, but for what
 *     applications report themselves
 * @param seen how much of all there is it sees, for people; empty when it cannot tell
 */
public record Blindness(String why, boolean complete, String seen) {
  /** It sees all that it should. */
  public static final Blindness NONE = new Blindness("", false);

  /** One that cannot tell how much it sees. */
  public Blindness(String why, boolean complete) {
    this(why, complete, "");
  }

  /** The same, which sees so much. */
  public Blindness seeing(String how) {
    return new Blindness(why, complete, how);
  }

  /** Both in one line; empty when there is nothing to say. */
  public String describe() {
    return seen.isEmpty() || why.isEmpty() ? seen + why : seen + "; " + why;
  }
}
