package io.eley.scheduler.hooks.job;

/**
 * The user whose job is served; the buffer's job runs with the same rights.
 *
 * @param uid user's number
 * @param gid group's number
 * @param jobs shared directory of this user's buffers; {@code %h} stands for the home directory,
 *     {@code %u} for the name
 */
public record JobOwner(long uid, long gid, String jobs) {}
