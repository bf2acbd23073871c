package io.eley.cli;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Announcements to a deployment that may not be there yet, or not now: it is looked for whenever
 * there is something to announce, until it has been found. For one thread at a time.
 */
final class LateAnnouncements implements LeasedPhases.Announcements {
  /** Looks for the deployment. */
  @FunctionalInterface
  interface Search {
    LeasedPhases.Announcements find() throws EleyException;
  }

  private final Search search;
  private volatile LeasedPhases.@Nullable Announcements found;

  LateAnnouncements(Search search) {
    this.search = search;
  }

  @Override
  public void begin(String application, Duration lease) throws EleyException {
    LeasedPhases.Announcements there = found;
    if (there == null) {
      there = search.find();
      found = there;
    }
    there.begin(application, lease);
  }

  /** Whom nobody has found knows of no phase. */
  @Override
  public void end(String application) throws EleyException {
    LeasedPhases.Announcements there = found;
    if (there != null) {
      there.end(application);
    }
  }

  @Override
  public void close() {
    LeasedPhases.Announcements there = found;
    if (there != null) {
      there.close();
    }
  }
}
