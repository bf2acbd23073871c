package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The keys that a deployment on this machine was started with. Some of them are of its clients,
 * which somebody else may start, later: whoever tells those where the deployment is finds here what
 * else they are to be told. Blocks for some system calls.
 *
 * @param files of the deployment
 */
public record GivenSettings(DeploymentFiles files) {
  /** Notes them, a line each, in the place of those of an earlier start. */
  void note(Map<String, String> settings) throws EleyException {
    var lines = new StringBuilder();
    new TreeMap<>(settings).forEach((k, v) -> lines.append(k).append('=').append(v).append('\n'));
    try {
      OwnFiles.replace(files.settings(), lines.toString());
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot write " + files.settings(), e);
    }
  }

  /** What was noted; empty where nothing is started, or where another command has started it. */
  public Map<String, String> noted() throws EleyException {
    var settings = new LinkedHashMap<String, String>();
    try {
      for (String line : OwnPaths.readPrivate(files.settings()).lines().toList()) {
        int between = line.indexOf('=');
        if (between > 0) {
          settings.put(line.substring(0, between), line.substring(between + 1));
        }
      }
      return settings;
    } catch (NoSuchFileException e) {
      return Map.of();
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot read " + files.settings(), e);
    }
  }

  /** Forgets them, since the next deployment in this directory may be started in another way. */
  void remove() throws EleyException {
    try {
      Files.deleteIfExists(files.settings());
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot remove " + files.settings(), e);
    }
  }
}
