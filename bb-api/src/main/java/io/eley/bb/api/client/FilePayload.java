package io.eley.bb.api.client;

import java.nio.channels.FileChannel;

/**
 * Bytes of a file that leave behind a message.
 *
 * @param file stays open until they have left
 * @param length positive; the file must have so many bytes there
 */
record FilePayload(FileChannel file, long position, int length) {}
