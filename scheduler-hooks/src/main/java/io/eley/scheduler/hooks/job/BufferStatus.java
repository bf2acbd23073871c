package io.eley.scheduler.hooks.job;

/**
 * One buffer, when a stage polled last.
 *
 * @param job that it serves
 * @param buffer number of its own job; empty before that was seen
 * @param user who owns both; empty as long
 * @param progress how far it was
 */
public record BufferStatus(long job, String buffer, String user, String progress) {}
