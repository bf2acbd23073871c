"""Against a command that only notes what it was asked: no Spark, no JVM."""

import os
import stat
import tempfile
import unittest
from unittest import mock

import eley

COMMAND = """#!/bin/sh
echo "$@" >>"$NOTES"
case $1 in
  start) for last; do :; done
    while [ $# -gt 0 ]; do [ "$1" = -d ] && d=$2; [ "$2" = /none ] && bad=1; shift; done
    [ -z "$bad" ] || { echo "eley: the origin /none does not exist" >&2; exit 1; }
    : >"$d/coordinator.address" ;;
  await) printf 'spark.plugins P\\nspark.driver.extraClassPath /c.jar\\n' ;;
  status) echo '{"version": 1, "mode": "FullDelay"}' ;;
esac
"""


class Builder:
    def __init__(self, **options):
        self._options = options

    def config(self, key, value):
        self._options[key] = value
        return self


class DeploymentTest(unittest.TestCase):
    def setUp(self):
        self.temp = tempfile.TemporaryDirectory()
        self.addCleanup(self.temp.cleanup)
        self.notes = os.path.join(self.temp.name, "notes")
        command = os.path.join(self.temp.name, "eley")
        with open(command, "w") as file:
            file.write(COMMAND)
        os.chmod(command, stat.S_IRWXU)
        environment = {"ELEY_HOME": self.temp.name, "NOTES": self.notes}
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)
        os.environ.pop("ELEY_DEPLOYMENT", None)

    def verbs(self):
        with open(self.notes) as file:
            return [line.split()[0] for line in file]

    def test_starts_configures_and_stops(self):
        with eley.Deployment(origin="/mnt", nodes=1, settings={"eley.delay.max": "3s"}) as d:
            builder = d.configure(Builder(**{"spark.plugins": "own.Plugin"}))
            self.assertEqual("P,own.Plugin", builder._options["spark.plugins"])
            self.assertEqual("/c.jar", builder._options["spark.driver.extraClassPath"])
            self.assertEqual("FullDelay", d.status()["mode"])
            self.assertIn("spark.plugins=P", d.submit_args())
            directory = d.directory
        self.assertEqual(["start", "await", "status", "stop"], self.verbs())
        self.assertFalse(os.path.exists(directory))
        with open(self.notes) as file:
            self.assertIn("--nodes 1 -D eley.delay.max=3s", file.readline())

    def test_finds_what_runs_and_leaves_it(self):
        open(os.path.join(self.temp.name, "coordinator.address"), "w").close()
        builder = eley.spark(Builder(), deployment=self.temp.name)
        builder.eley.stop()
        self.assertEqual(["await"], self.verbs())
        self.assertTrue(os.path.isdir(self.temp.name))

    def test_errors_are_the_commands_words(self):
        with self.assertRaisesRegex(eley.EleyError, "^the origin /none does not exist$"):
            eley.Deployment(origin="/none")
        with self.assertRaisesRegex(eley.EleyError, "no deployment is named"):
            eley.Deployment()
        with self.assertRaisesRegex(eley.EleyError, "no deployment runs in"):
            eley.Deployment(deployment=self.temp.name)


if __name__ == "__main__":
    unittest.main()
