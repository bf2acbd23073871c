package io.eley.controller.phase;

/**
 * Is notified of phases as applications have them, on the thread that owns the watch; must not call
 * back into it. A phase is known by the evidence with which it was opened.
 */
public interface JoinedListener {
  void opened(Evidence phase);

  /**
   * The phase seems over.
   *
   * @param phase the evidence with which it was opened
   */
  void closed(Evidence phase, long at, PhaseListener.Ending why);

  /**
   * The phase was not over, or it has got a name.
   *
   * @param phase the evidence with which it was opened
   * @param as what it goes on as: of another application, when nobody had known whose it was
   */
  void resumed(Evidence phase, Evidence as);

  /**
   * The phase is over for good, and nothing more will be learned of it.
   *
   * @param phase the evidence with which it was opened
   */
  void settled(Evidence phase, SettledPhase result);
}
