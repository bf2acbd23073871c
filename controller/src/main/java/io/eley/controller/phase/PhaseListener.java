package io.eley.controller.phase;

/**
 * Hears of phases as they come and go, on the thread that owns the source; must not call back into
 * it.
 */
public interface PhaseListener {
  /** Why a phase is over. */
  enum Ending {
    /** The application has said so. */
    ANNOUNCED,
    /** The application has not renewed its lease in time. */
    LEASE_EXPIRED,
    /** No I/O of it was seen any more. */
    QUIET,
    /** It was somebody's; now it is known whose, and goes on under that name. */
    NAMED,
    /** The source that saw it has been lost for too long. */
    SOURCE_LOST
  }

  void opened(Evidence phase);

  /**
   * A phase is over.
   *
   * @param at when it ended, nanoseconds of the same clock; for a lease its end, for bytes the last
   *     that were seen, which may be some time before it was noticed
   */
  void closed(Evidence phase, long at, Ending why);
}
