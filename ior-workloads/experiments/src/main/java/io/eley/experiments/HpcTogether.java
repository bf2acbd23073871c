package io.eley.experiments;

import io.eley.bb.api.error.EleyException;
import io.eley.laboratory.Laboratory;
import io.eley.report.ObservedPhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Several HPC applications as one: it lives while all live, and is in a phase while any is. */
record HpcTogether(List<PhaseRunner> applications) implements Laboratory.Hpc {
  HpcTogether {
    applications = List.copyOf(applications);
  }

  @Override
  public boolean alive() {
    return applications.stream().allMatch(PhaseRunner::alive);
  }

  @Override
  public List<ObservedPhase> phases() {
    var all = new ArrayList<ObservedPhase>();
    applications.forEach(a -> all.addAll(a.phases()));
    all.sort(Comparator.comparingLong(ObservedPhase::beginMicros));
    return all;
  }

  @Override
  public boolean inPhase() throws EleyException {
    return applications.stream().anyMatch(PhaseRunner::inPhase);
  }

  @Override
  public String lastWords() {
    return applications.stream()
        .filter(a -> !a.alive())
        .map(PhaseRunner::lastWords)
        .findFirst()
        .orElse("it lives");
  }

  @Override
  public void close() {
    applications.forEach(PhaseRunner::close);
  }
}
