"""Against a command that only notes what it was asked: no Spark, no JVM."""

import contextlib
import io
import os
import shutil
import stat
import tempfile
import unittest
from unittest import mock

import eley

COMMAND = """#!/bin/sh
echo "$@" >>"$NOTES"
case $1 in
  stop) [ -z "$STUCK" ] || { echo "eley: cannot stop now" >&2; exit 1; } ;;
  start) echo "$ELEY_PARENT" >"$NOTES.parent"
    for last; do :; done
    while [ $# -gt 0 ]; do [ "$1" = -d ] && d=$2; [ "$2" = /none ] && bad=1; shift; done
    [ -z "$bad" ] || { echo "eley: the origin /none does not exist" >&2; exit 1; }
    [ ! -e "$d/taken" ] || { echo "eley: a deployment runs in $d already" >&2; exit 1; }
    : >"$d/coordinator.address" ;;
  await) printf 'spark.plugins P\\nspark.driver.extraClassPath /c.jar\\n' ;;
  status) for last; do :; done
    [ ! -e "$last/killed" ] || { echo "eley: nobody listens" >&2; exit 1; }
    echo '{"version": 1, "mode": "FullDelay", "originAddress": "'"$ORIGIN"'"}' ;;
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
        environment = {"ELEY_HOME": self.temp.name, "NOTES": self.notes, "ORIGIN": "/mnt"}
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)
        os.environ.pop("ELEY_DEPLOYMENT", None)

    def verbs(self):
        with open(self.notes) as file:
            return [line.split()[0] for line in file]

    def test_starts_configures_and_stops(self):
        settings = {"eley.delay.max": "3s", "eley.client.read-ahead": False}
        with eley.Deployment(origin="/mnt", nodes=1, settings=settings) as d:
            builder = d.configure(Builder(**{"spark.plugins": "own.Plugin"}))
            self.assertEqual("P,own.Plugin", builder._options["spark.plugins"])
            self.assertEqual("/c.jar", builder._options["spark.driver.extraClassPath"])
            self.assertEqual("FullDelay", d.status()["mode"])
            self.assertIn("spark.plugins=P", d.submit_args())
            directory = d.directory
        self.assertEqual(["start", "await", "status", "stop"], self.verbs())
        self.assertFalse(os.path.exists(directory))
        with open(self.notes) as file:
            self.assertIn("--nodes 1 -D eley.delay.max=3s -D eley.client.read-ahead=false\n", file.readline())

    def test_what_is_started_goes_with_this_python(self):
        with eley.Deployment(origin="/mnt"):
            with open(self.notes + ".parent") as file:
                self.assertEqual(os.getpid(), int(file.read()))

    def test_what_cannot_be_stopped_keeps_its_files_and_is_told(self):
        d = eley.Deployment(origin="/mnt")
        self.addCleanup(shutil.rmtree, d.directory)
        said = io.StringIO()
        with mock.patch.dict(os.environ, {"STUCK": "1"}), contextlib.redirect_stderr(said):
            d.stop()
        self.assertTrue(os.path.isdir(d.directory))
        self.assertEqual(
            "eley: cannot stop now; still to be done: eley stop -d %s\n" % d.directory, said.getvalue()
        )

    def test_finds_what_runs_and_leaves_it(self):
        open(os.path.join(self.temp.name, "coordinator.address"), "w").close()
        builder = eley.spark(Builder(), deployment=self.temp.name)
        builder.eley.stop()
        self.assertEqual(["status", "await"], self.verbs())
        self.assertTrue(os.path.isdir(self.temp.name))

    def test_what_runs_over_another_origin_is_refused_and_left(self):
        open(os.path.join(self.temp.name, "coordinator.address"), "w").close()
        link = os.path.join(self.temp.name, "link")
        os.symlink("/mnt", link)
        for same in ("/mnt", link, "/mnt/.", "file:///mnt"):
            eley.Deployment(origin=same, deployment=self.temp.name).stop()
        with self.assertRaisesRegex(eley.EleyError, "^the deployment in .* is over /mnt, not /mn$"):
            eley.Deployment(origin="/mn", deployment=self.temp.name)
        os.environ["ORIGIN"] = "s3a://bucket/a"
        eley.Deployment(origin="s3a://bucket/a/", deployment=self.temp.name).stop()
        with self.assertRaisesRegex(eley.EleyError, "is over s3a://bucket/a, not s3a://bucket/b$"):
            eley.Deployment(origin="s3a://bucket/b", deployment=self.temp.name)
        self.assertNotIn("stop", self.verbs())

    def test_the_address_of_one_that_was_killed_is_no_deployment(self):
        for name in ("coordinator.address", "killed"):
            open(os.path.join(self.temp.name, name), "w").close()
        with self.assertRaisesRegex(eley.EleyError, "no deployment runs in"):
            eley.Deployment(deployment=self.temp.name)
        with eley.Deployment(origin="/mnt", deployment=self.temp.name):
            self.assertEqual(["status", "status", "start", "await"], self.verbs())
        self.assertEqual("stop", self.verbs()[-1])

    def test_a_start_that_is_refused_ends_nothing(self):
        for name in ("coordinator.address", "killed", "taken"):
            open(os.path.join(self.temp.name, name), "w").close()
        with self.assertRaisesRegex(eley.EleyError, "^a deployment runs in .* already$"):
            eley.Deployment(origin="/mnt", deployment=self.temp.name)
        self.assertEqual(["status", "start"], self.verbs())

    def test_errors_are_the_commands_words(self):
        with self.assertRaisesRegex(eley.EleyError, "^the origin /none does not exist$"):
            eley.Deployment(origin="/none")
        with self.assertRaisesRegex(eley.EleyError, "no deployment is named"):
            eley.Deployment()
        with self.assertRaisesRegex(eley.EleyError, "no deployment runs in"):
            eley.Deployment(deployment=self.temp.name)

    def spark_home(self, script):
        home = os.path.join(self.temp.name, "spark")
        for directory in ("bin", "jars"):
            os.makedirs(os.path.join(home, directory))
        submit = os.path.join(home, "bin", "spark-submit")
        with open(submit, "w") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(submit, stat.S_IRWXU)
        return home

    def test_a_connect_server_has_the_deployments_settings_and_a_token_of_its_own(self):
        home = self.spark_home(
            """echo "$@" >"$NOTES.words"
            stat -c %a "$2" >"$NOTES.mode"; cp "$2" "$NOTES.conf"
            echo "INFO SparkConnectServer: Spark Connect server started at: 127.0.0.1:40123"
            exec sleep 60
            """
        )
        with eley.Deployment(origin="/mnt") as d:
            with self.assertRaisesRegex(eley.EleyError, "no server of Spark Connect that wants"):
                d.connect(spark_home=home)
            open(os.path.join(home, "jars", "spark-connect_2.13-4.2.0.jar"), "w").close()
            own = {"spark.plugins": "own.Plugin", "spark.eventLog.enabled": False}
            with d.connect("local[2]", own, home) as server:
                self.assertRegex(server.url, "^sc://localhost:40123/;token=[0-9a-f]{64}$")
                process = server._process
                directory = server._directory
            self.assertIsNotNone(process.poll())
            self.assertFalse(os.path.exists(directory))
        token = server.url.split("=")[1]
        with open(self.notes + ".words") as file:
            self.assertNotIn(token, file.read())
        with open(self.notes + ".mode") as file:
            self.assertEqual("600", file.read().strip())
        with open(self.notes + ".conf") as file:
            conf = dict(line.rstrip("\n").split(" ", 1) for line in file)
        self.assertEqual("P,own.Plugin", conf["spark.plugins"])
        self.assertEqual("local[2]", conf["spark.master"])
        self.assertEqual("false", conf["spark.eventLog.enabled"])
        self.assertEqual(token, conf["spark.connect.authenticate.token"])
        self.assertEqual("127.0.0.1", conf["spark.connect.grpc.binding.address"])

    def test_a_server_that_ends_says_why_and_leaves_nothing(self):
        home = self.spark_home("echo 'no such master'; exit 1")
        open(os.path.join(home, "jars", "spark-connect_2.13-4.2.0.jar"), "w").close()
        with eley.Deployment(origin="/mnt") as d:
            before = set(os.listdir(tempfile.gettempdir()))
            with self.assertRaisesRegex(eley.EleyError, "has ended: no such master$"):
                d.connect(spark_home=home)
            left = set(os.listdir(tempfile.gettempdir())) - before
            self.assertEqual([], [name for name in left if name.startswith("eley-connect-")])

    def test_a_builder_of_a_remote_session_is_refused(self):
        with eley.Deployment(origin="/mnt") as d:
            with self.assertRaisesRegex(eley.EleyError, "Deployment.connect"):
                d.configure(Builder(**{"spark.remote": "local"}))


if __name__ == "__main__":
    unittest.main()
