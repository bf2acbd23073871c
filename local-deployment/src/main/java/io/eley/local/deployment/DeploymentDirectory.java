package io.eley.local.deployment;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The directory of one deployment (mode 0700): {@code secret}, {@code coordinator.address}, a pid
 * file for each process and {@code logs/}. It is all a client needs to know of a deployment.
 *
 * @param path absolute
 */
public record DeploymentDirectory(Path path) {
  /** Environment variable that names the deployment when no option does. */
  public static final String ENVIRONMENT = "ELEY_DEPLOYMENT";

  public DeploymentDirectory {
    path = path.toAbsolutePath().normalize();
  }

  /**
   * The deployment somebody means who names none: {@code $ELEY_DEPLOYMENT}, or {@code
   * ~/.eley/deployment}.
   */
  public static DeploymentDirectory standard() {
    String named = System.getenv(ENVIRONMENT);
    return new DeploymentDirectory(
        named != null && !named.isBlank()
            ? Path.of(named)
            : Path.of(System.getProperty("user.home"), ".eley", "deployment"));
  }

  /** Makes the directory and its {@code logs/}, private to the user. Existing ones are fine. */
  public void create() throws EleyException {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    try {
      Files.createDirectories(path, mode);
      Files.createDirectories(logs(), mode);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "cannot make the deployment directory " + path + ": " + e.getMessage(),
          e);
    }
  }

  /** Makes the deployment's secret, if there is none: who starts nodes needs it before them. */
  void createSecret() throws EleyException {
    Path file = path.resolve("secret");
    try {
      if (!Files.exists(file)) {
        Secret.create(file);
      }
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot make the secret file " + file, e);
    }
  }

  public Path logs() {
    return path.resolve("logs");
  }

  public Path log(String process) {
    return logs().resolve(process + ".log");
  }

  public Path coordinatorAddress() {
    return path.resolve("coordinator.address");
  }

  /** The pid files there are, nodes before the coordinator: the order in which to stop. */
  public List<PidFile> pidFiles() throws EleyException {
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (var files = Files.list(path)) {
      return files
          .filter(f -> f.getFileName().toString().endsWith(PidFile.SUFFIX))
          .sorted((a, b) -> b.getFileName().compareTo(a.getFileName()))
          .map(PidFile::new)
          .toList();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot read the deployment directory " + path, e);
    }
  }

  public PidFile pidFile(String process) {
    return new PidFile(path.resolve(process + PidFile.SUFFIX));
  }
}
