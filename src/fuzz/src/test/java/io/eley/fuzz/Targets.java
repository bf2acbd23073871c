package io.eley.fuzz;

import io.eley.bb.api.client.DeploymentFilesFuzz;
import io.eley.bb.api.client.ServersAnswerFuzz;
import io.eley.bb.api.client.ServersFramesFuzz;
import io.eley.bb.api.wire.FrameFuzz;
import io.eley.bb.api.wire.HandshakeFuzz;
import io.eley.bb.api.wire.SealedFrameFuzz;
import io.eley.bb.server.net.ClientsFramesFuzz;
import io.eley.bb.server.store.BlockFooterFuzz;
import io.eley.cli.SettingsFuzz;
import io.eley.coordinator.ledger.LedgerFuzz;
import io.eley.coordinator.phases.AnnouncementsFuzz;
import io.eley.emulated.pfs.PfsMessageFuzz;
import io.eley.ior.IorOutputFuzz;
import io.eley.local.deployment.OwnFilesFuzz;
import io.eley.report.ReportFuzz;
import io.eley.scheduler.hooks.counters.CountersFuzz;
import io.eley.scheduler.hooks.job.DirectiveFuzz;
import io.eley.scheduler.hooks.slurm.SlurmAccountingFuzz;
import io.eley.scheduler.hooks.slurm.SlurmTextsFuzz;
import java.nio.file.Path;
import java.util.List;

/**
 * All targets. A target has a public static method, {@value #METHOD}, that takes bytes; one that
 * needs long to begin has {@code fuzzerInitialize}, too, whose time is no input's.
 */
final class Targets {
  /** Jazzer's own name for it. */
  static final String METHOD = "fuzzerTestOneInput";

  static final List<Class<?>> ALL =
      List.of(
          FrameFuzz.class,
          SealedFrameFuzz.class,
          HandshakeFuzz.class,
          ServersAnswerFuzz.class,
          ServersFramesFuzz.class,
          ClientsFramesFuzz.class,
          BlockFooterFuzz.class,
          DeploymentFilesFuzz.class,
          OwnFilesFuzz.class,
          LedgerFuzz.class,
          AnnouncementsFuzz.class,
          SettingsFuzz.class,
          SlurmAccountingFuzz.class,
          SlurmTextsFuzz.class,
          CountersFuzz.class,
          DirectiveFuzz.class,
          IorOutputFuzz.class,
          PfsMessageFuzz.class,
          ReportFuzz.class);

  private Targets() {}

  /** The committed inputs of a target, relative to the module. */
  static Path corpus(Class<?> target) {
    return Path.of("src", "test", "corpus", target.getSimpleName());
  }
}
