-- An environment module (Lmod) for an unpacked Eley; adapt the root.
help([[Eley: burst-buffer middleware for Spark on HPC. Begin with `eley sbatch --help`.]])
whatis("Name: Eley")
whatis("Description: prefetches Spark's input into RAM and stands aside for HPC I/O")
local root = "/opt/eley"
prepend_path("PATH", pathJoin(root, "bin"))
setenv("ELEY_HOME", root)
