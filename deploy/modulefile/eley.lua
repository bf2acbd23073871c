-- An environment module (Lmod) for an unpacked Eley; adapt the root.
help([[Eley: burst-buffer middleware for Spark on HPC. Begin with `eley sbatch --help`.]])
whatis("Name: Eley")
whatis("Description: prefetches Spark's input into RAM and stands aside for HPC I/O")
local root = "/opt/eley"
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("PYTHONPATH", pathJoin(root, "python"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
append_path("MANPATH", "", ":") -- the system's own behind it
setenv("ELEY_HOME", root)
