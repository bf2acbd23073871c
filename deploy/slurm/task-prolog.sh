#!/bin/bash
# A TaskProlog (slurm.conf) that tells HPC jobs of a site-wide Eley where its deployment directory is.
# Lines of the form `export NAME=value` on standard output go into the task's environment (man slurm.conf).
deployment=/var/lib/eley/deployment
[ -r "$deployment/announce.url" ] && echo "export ELEY_DEPLOYMENT=$deployment"
exit 0
