package io.eley.emulated.pfs;

/**
 * One grant of the emulated PFS, as it was recorded by the process that gave it.
 *
 * @param epochMicros time of day at which the request was through, microseconds since the epoch
 * @param client the label under which the asking connection introduced itself
 * @param cause why: a {@link io.eley.bb.api.ReadCause}'s name, or another word such as {@code HPC}
 * @param operation name of a {@link PfsOperation}
 * @param bytes zero for {@link PfsOperation#META}
 */
public record PfsEvent(
    long epochMicros, String client, String cause, String operation, int bytes) {}
