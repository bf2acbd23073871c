package io.eley.benchmarks;

import io.eley.bb.api.client.ClientCounters.Source;
import java.io.IOException;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A deployment of one node that must have served all reads of a trial over TCP. */
@State(Scope.Benchmark)
public abstract class Deployed {
  private final OneNode deployment;

  /** Takes over the deployment. */
  Deployed(OneNode deployment) {
    this.deployment = deployment;
  }

  final OneNode deployment() {
    return deployment;
  }

  @TearDown(Level.Trial)
  public void stop() throws IOException {
    deployment.requireServedFrom(Source.REMOTE_RAM);
    deployment.close();
  }
}
