package io.eley.bb.server.net;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file for whose reads there is no memory. */
final class ExhaustedFile extends FileChannel {
  private static OutOfMemoryError exhausted() {
    return new OutOfMemoryError("Cannot reserve bytes of direct buffer memory (a test's)");
  }

  @Override
  public int read(ByteBuffer target) {
    throw exhausted();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw exhausted();
  }

  @Override
  public int read(ByteBuffer target, long position) {
    throw exhausted();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw exhausted();
  }

  @Override
  public long size() {
    return Long.MAX_VALUE;
  }

  @Override
  public int write(ByteBuffer source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source, long position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long position() {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel position(long newPosition) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel truncate(long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void force(boolean metaData) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected void implCloseChannel() {}
}
