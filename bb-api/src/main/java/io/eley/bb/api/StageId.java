package io.eley.bb.api;

import io.eley.bb.api.edge.NameRule;

/**
 * One attempt of one stage of one Spark application.
 *
 * @param application Spark's application id, see {@link NameRule#APPLICATION}
 * @param stage Spark's stage id
 * @param attempt Spark's attempt number
 */
public record StageId(String application, int stage, int attempt) {
  public StageId {
    NameRule.APPLICATION.require(application);
  }

  @Override
  public String toString() {
    return application + "/" + stage + "." + attempt;
  }
}
