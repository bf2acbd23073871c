package io.eley.emulated.pfs;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.origin.OriginSpace;
import io.eley.bb.api.origin.OriginStatus;
import java.io.OutputStream;
import java.util.List;

/**
 * A directory behind the emulated PFS: every call is the directory's own, after it has been paid
 * for. An open file is a stream; calls that move no data cost the latency. Safe for several
 * threads, which share one connection.
 */
public final class EmulatedPfsOrigin implements Origin {
  private final String address;
  private final Origin directory;
  private final EmulatedPfsClient client;
  private final PacedStream calls;

  /**
   * @param address as the user wrote it
   * @param directory what lies behind the emulated PFS; closed with this
   * @param client the connection; closed with this
   */
  public EmulatedPfsOrigin(String address, Origin directory, EmulatedPfsClient client) {
    this.address = address;
    this.directory = directory;
    this.client = client;
    this.calls = new PacedStream(client);
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public OriginStatus stat(String path) throws EleyException {
    payCall();
    return directory.stat(path);
  }

  @Override
  public List<OriginStatus> list(String path) throws EleyException {
    payCall();
    return directory.list(path);
  }

  @Override
  public OriginFile open(String path) throws EleyException {
    payCall();
    return new PacedFile(directory.open(path), new PacedStream(client));
  }

  @Override
  public OutputStream create(String path, boolean overwrite) throws EleyException {
    payCall();
    return new PacedOutput(directory.create(path, overwrite), new PacedStream(client));
  }

  @Override
  public OutputStream append(String path) throws EleyException {
    payCall();
    return new PacedOutput(directory.append(path), new PacedStream(client));
  }

  @Override
  public void makeDirectories(String path) throws EleyException {
    payCall();
    directory.makeDirectories(path);
  }

  @Override
  public void rename(String from, String to) throws EleyException {
    payCall();
    directory.rename(from, to);
  }

  @Override
  public void replace(String from, String to) throws EleyException {
    payCall();
    directory.replace(from, to);
  }

  @Override
  public void delete(String path, boolean recursive) throws EleyException {
    payCall();
    directory.delete(path, recursive);
  }

  @Override
  public void setPermissions(String path, int permissions) throws EleyException {
    payCall();
    directory.setPermissions(path, permissions);
  }

  @Override
  public void setTimes(String path, long modifiedMillis, long accessedMillis) throws EleyException {
    payCall();
    directory.setTimes(path, modifiedMillis, accessedMillis);
  }

  @Override
  public OriginSpace space(String path) throws EleyException {
    payCall();
    return directory.space(path);
  }

  @Override
  public void close() {
    client.close();
    directory.close();
  }

  private void payCall() throws EleyException {
    calls.payCall(ReadCause.DIRECT.name());
  }
}
