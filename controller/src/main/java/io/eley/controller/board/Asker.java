package io.eley.controller.board;

/**
 * A deployment that asks the board.
 *
 * @param key the name of the key that it has proved to have; its own
 * @param user whose deployment it is, by name as Slurm has it
 */
public record Asker(String key, String user) {}
