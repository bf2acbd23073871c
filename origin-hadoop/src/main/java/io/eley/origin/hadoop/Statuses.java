package io.eley.origin.hadoop;

import io.eley.bb.api.FileVersion.Stamp;
import io.eley.bb.api.origin.OriginStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * What Hadoop's file systems say of files, in our words. A version is what the store itself tells
 * versions apart by:
 *
 * <ul>
 *   <li>an object's ETag, of which 64 bits of its SHA-256 stand where a mount has the inode. Its
 *       time counts to the second, because a listing has fractions that a HEAD has not;
 *   <li>in HDFS the file's id, and its modification time;
 *   <li>elsewhere the modification time.
 * </ul>
 *
 * The length belongs to each. No such store has change times.
 */
final class Statuses {
  private static final long SECOND_MILLIS = 1000;

  private Statuses() {}

  /**
   * The status of a file or directory.
   *
   * @param path normalised origin path
   */
  static OriginStatus of(String path, FileStatus found) {
    boolean directory = found.isDirectory();
    String etag = directory ? "" : etag(found);
    long modified = Math.max(0, found.getModificationTime());
    return new OriginStatus(
        path,
        directory,
        directory ? 0 : found.getLen(),
        etag.isEmpty() ? modified : modified / SECOND_MILLIS * SECOND_MILLIS,
        found.getPermission().toShort() & 0777,
        found.getOwner(),
        found.getGroup(),
        new Stamp(etag.isEmpty() ? fileId(found) : hash(etag), 0));
  }

  /** Without its quotes, which not all answers have; empty when there is none. */
  static String etag(FileStatus found) {
    String etag = found instanceof EtagSource source ? source.getEtag() : null;
    return etag == null ? "" : etag.replace("\"", "");
  }

  private static long fileId(FileStatus found) {
    return found instanceof HdfsFileStatus file ? file.getFileId() : 0;
  }

  /** Never zero, which is no inode. */
  private static long hash(String etag) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(etag.getBytes(StandardCharsets.UTF_8));
      long first = ByteBuffer.wrap(digest).getLong();
      return first == 0 ? 1 : first;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
