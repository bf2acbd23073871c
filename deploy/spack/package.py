# Put it into a repository of your own as packages/eley/package.py (spack repo create), with the archive in a
# mirror or beside it: Eley is in no public download place yet, so its version names a file of yours.
from spack.package import *


class Eley(Package):
    """Burst-buffer middleware for Spark on HPC: reads the next wave of input ahead into RAM,
    and stands aside while HPC applications do I/O."""

    manual_download = True

    license("Apache-2.0")

    # spack checksum, or the archive's .sha256, says what belongs here for another version.
    version("0.3.0", sha256="@SHA256@", url="file:///path/to/eley-0.3.0.tar.gz", expand=True)

    depends_on("java@17:", type="run")

    def install(self, spec, prefix):
        install_tree(".", prefix)

    def setup_run_environment(self, env):
        env.set("ELEY_HOME", self.prefix)
        env.prepend_path("MANPATH", self.prefix.share.man)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def says_its_version(self):
        Executable(self.prefix.bin.eley)("--version")
