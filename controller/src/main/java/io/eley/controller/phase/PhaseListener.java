package io.eley.controller.phase;

/**
 * Is notified when phases begin and end, on the thread that owns the source; must not call back
 * into it.
 */
public interface PhaseListener {
  /** Why a phase is over. */
  enum Ending {
    /** The application has announced the end. */
    ANNOUNCED,
    /** The application has not renewed its lease in time. */
    LEASE_EXPIRED,
    /** No I/O of the application was seen any more. */
    QUIET,
    /** The phase had no name; now its application is known, and it goes on under that name. */
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
