package io.eley.bb.api;

/**
 * One attempt of one stage of one Spark application.
 *
 * @param application Spark's application id, not blank
 * @param stage Spark's stage id
 * @param attempt Spark's attempt number
 */
public record StageId(String application, int stage, int attempt) {
  public StageId {
    if (application.isBlank() || application.length() > 256) {
      throw new IllegalArgumentException("application id must have 1 to 256 characters");
    }
  }

  @Override
  public String toString() {
    return application + "/" + stage + "." + attempt;
  }
}
