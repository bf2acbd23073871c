package io.eley.bb.api.wire;

/**
 * What a handshake leaves to one side: how it seals what it sends and opens what it receives.
 *
 * @param out for the thread that sends
 * @param in for the thread that receives
 */
public record SecuredFrames(FrameSealer out, FrameOpener in) {}
