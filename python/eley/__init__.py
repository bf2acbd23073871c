"""A burst buffer for Spark on HPC, from Python scripts and notebooks.

``spark`` configures a session's builder for a deployment that is found or started;
``Deployment`` is that deployment as a context manager. Pure Python: everything is done by the
``eley`` command, which is looked for in ``$ELEY_HOME/bin``, ``$ELEY_HOME`` and on the ``PATH``.
"""

import atexit
import json
import os
import shutil
import subprocess
import tempfile

__all__ = ["Deployment", "EleyError", "spark"]

# Keys whose values are lists, with what stands between: what the builder has stays in them.
_LISTS = {
    "spark.plugins": ",",
    "spark.driver.extraClassPath": ":",
    "spark.executor.extraClassPath": ":",
}

# So long may the eley command take, seconds; a start waits for all nodes.
_PATIENCE = 180


class EleyError(RuntimeError):
    """What the ``eley`` command said, in its words."""


def _command():
    home = os.environ.get("ELEY_HOME", "")
    places = [os.path.join(home, "bin", "eley"), os.path.join(home, "eley")] if home else []
    for place in places:
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    found = shutil.which("eley")
    if found is None:
        raise EleyError("there is no eley command: set ELEY_HOME or PATH to the unpacked archive")
    return found


def _eley(*words):
    """Runs the command to its end; its output, or its complaint as an error."""
    ended = subprocess.run(
        [_command(), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=_PATIENCE,
        check=False,
    )
    if ended.returncode != 0:
        lines = ended.stderr.strip().splitlines() or ["exit code %d" % ended.returncode]
        said = [line for line in lines if line.startswith("eley: ")] or lines[-1:]
        raise EleyError(said[0].replace("eley: ", "", 1))
    return ended.stdout


class Deployment:
    """A deployment that runs: found in its directory, or started there and stopped at the end.

    origin      where the data lives; needed where none runs yet
    deployment  its directory; by default $ELEY_DEPLOYMENT, and without that a private one of its
                own, which goes with it
    nodes, memory, mode, ram_disk  as the options of ``eley start``
    settings    configuration keys, as ``-D`` takes them
    """

    def __init__(
        self,
        origin=None,
        deployment=None,
        nodes=None,
        memory=None,
        mode=None,
        ram_disk=None,
        settings=None,
    ):
        directory = deployment or os.environ.get("ELEY_DEPLOYMENT") or None
        self._private = directory is None
        self._started = False
        if self._private and origin is None:
            raise EleyError("no deployment is named: give origin= to start one, or deployment=")
        self.directory = os.path.abspath(
            tempfile.mkdtemp(prefix="eley-") if self._private else os.path.expanduser(directory)
        )
        try:
            if not self._runs():
                if origin is None:
                    raise EleyError("no deployment runs in %s: give origin=" % self.directory)
                options = {
                    "--nodes": nodes,
                    "--memory": memory,
                    "--mode": mode,
                    "--ram-disk": ram_disk,
                }
                self._start(origin, options, settings or {})
            self.conf = self._spark_conf()
        except BaseException:
            self.stop()
            raise
        atexit.register(self.stop)

    def _runs(self):
        return os.path.exists(os.path.join(self.directory, "coordinator.address"))

    def _start(self, origin, options, settings):
        words = ["start", "--origin", os.fspath(origin), "-d", self.directory]
        for name, value in options.items():
            if value is not None:
                words += [name, str(value)]
        for key, value in settings.items():
            words += ["-D", "%s=%s" % (key, value)]
        self._started = True
        _eley(*words)

    def _spark_conf(self):
        lines = _eley("await", "--nodes", "1", "--spark-conf", "-d", self.directory).splitlines()
        return dict(line.split(" ", 1) for line in lines if line.startswith("spark."))

    def status(self):
        """What ``eley status --json`` says, as a dictionary."""
        return json.loads(_eley("status", "--json", "-d", self.directory))

    def submit_args(self):
        """Options for spark-submit, pyspark or start-connect-server.sh."""
        return [word for key in sorted(self.conf) for word in ("--conf", "%s=%s" % (key, self.conf[key]))]

    def configure(self, builder):
        """Adds what Spark has to know to a ``SparkSession.builder``, and returns that.

        A JVM that runs already takes no class path any more: then it raises an error.
        """
        _require_no_jvm(self.conf)
        there = dict(getattr(builder, "_options", {}))
        for key, value in self.conf.items():
            own = str(there.get(key, ""))
            if key in _LISTS and own and value not in own.split(_LISTS[key]):
                value = value + _LISTS[key] + own
            builder = builder.config(key, value)
        return builder

    def stop(self):
        """Stops what was started here, and only that; may be repeated."""
        atexit.unregister(self.stop)
        if self._started:
            self._started = False
            try:
                _eley("stop", "-d", self.directory)
            except (EleyError, subprocess.TimeoutExpired):
                pass  # it is gone, or an administrator will see it
        if self._private:
            shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop()


def _require_no_jvm(conf):
    try:
        from pyspark import SparkContext
    except ImportError:
        return
    context = getattr(SparkContext, "_active_spark_context", None)
    if getattr(SparkContext, "_gateway", None) is None:
        return
    plugin = conf.get("spark.plugins", "")
    if context is None or plugin not in context.getConf().get("spark.plugins", ""):
        raise EleyError(
            "Spark runs in this Python already: configure the builder before the first session, or"
            " start it by `eley run -- pyspark`"
        )


def spark(builder, origin=None, **options):
    """Configures a ``SparkSession.builder`` for a deployment that is found, or started.

    The deployment is the builder's attribute ``eley``. One that was started ends with this Python,
    or by ``builder.eley.stop()``. Options are those of ``Deployment``.
    """
    deployment = Deployment(origin=origin, **options)
    try:
        builder = deployment.configure(builder)
    except BaseException:
        deployment.stop()
        raise
    builder.eley = deployment
    return builder
