package io.eley.release;

import com.github.packageurl.MalformedPackageURLException;
import com.github.packageurl.PackageURL;
import java.io.IOException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import org.cyclonedx.Version;
import org.cyclonedx.exception.GeneratorException;
import org.cyclonedx.generators.BomGeneratorFactory;
import org.cyclonedx.model.Bom;
import org.cyclonedx.model.Component;
import org.cyclonedx.model.Hash;
import org.cyclonedx.model.License;
import org.cyclonedx.model.LicenseChoice;
import org.cyclonedx.model.Metadata;
import org.cyclonedx.model.license.Expression;

/**
 * The parts of an archive in CycloneDX's form (JSON, version 1.6), for tools that look for known
 * weaknesses. It carries no serial number and the build's own time, so that two builds of one
 * commit write the same bytes.
 */
final class BillOfMaterials {
  private BillOfMaterials() {}

  static String of(String version, Instant built, List<ShippedPart> parts) throws IOException {
    var bom = new Bom();
    bom.setSerialNumber(null);
    var metadata = new Metadata();
    metadata.setTimestamp(Date.from(built));
    metadata.setComponent(component("io.eley", "eley", version, List.of("Apache-2.0")));
    bom.setMetadata(metadata);
    var components = new ArrayList<Component>();
    for (ShippedPart part : parts) {
      var component = component(part.group(), part.name(), part.version(), part.licences());
      component.addHash(new Hash(Hash.Algorithm.SHA_256, sha256(part)));
      components.add(component);
    }
    bom.setComponents(components);
    try {
      return BomGeneratorFactory.createJson(Version.VERSION_16, bom).toJsonString() + "\n";
    } catch (GeneratorException e) {
      throw new IOException("the bill of materials cannot be written: " + e.getMessage(), e);
    }
  }

  private static String sha256(ShippedPart part) throws IOException {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(part.jar())));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }

  private static Component component(
      String group, String name, String version, List<String> licences) throws IOException {
    var component = new Component();
    component.setType(
        group.equals("io.eley") ? Component.Type.APPLICATION : Component.Type.LIBRARY);
    component.setGroup(group);
    component.setName(name);
    component.setVersion(version);
    try {
      String purl = new PackageURL("maven", group, name, version, null, null).canonicalize();
      component.setPurl(purl);
      component.setBomRef(purl);
    } catch (MalformedPackageURLException e) {
      throw new IOException("no package URL of " + group + ":" + name, e);
    }
    var choice = new LicenseChoice();
    if (licences.size() == 1) {
      var licence = new License();
      licence.setId(licences.get(0));
      choice.addLicense(licence);
    } else {
      choice.setExpression(new Expression(String.join(" OR ", licences)));
    }
    component.setLicenses(choice);
    return component;
  }
}
