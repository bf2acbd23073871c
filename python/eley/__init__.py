"""A burst buffer for Spark on HPC, from Python scripts and notebooks.

``spark`` configures a session's builder for a deployment that is found or started;
``Deployment`` is that deployment as a context manager, and ``Deployment.connect`` a server of Spark
Connect over it. Pure Python: everything is done by the ``eley`` command, which is looked for in
``$ELEY_HOME/bin``, ``$ELEY_HOME`` and on the ``PATH``.
"""

import atexit
import glob
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

__all__ = ["ConnectServer", "Deployment", "EleyError", "spark"]

# Keys whose values are lists, with what stands between: what the builder has stays in them.
_LISTS = {
    "spark.plugins": ",",
    "spark.driver.extraClassPath": ":",
    "spark.executor.extraClassPath": ":",
}

# So long may the eley command take, or a server to listen, seconds; a start waits for all nodes.
_PATIENCE = 180

# What a server of Spark Connect logs when it listens.
_LISTENS = re.compile(r"Connect server started at: [^ ]*:(\d+)")


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


def _eley(*words, **environment):
    """Runs the command to its end; its output, or its complaint as an error."""
    ended = subprocess.run(
        [_command(), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=_PATIENCE,
        check=False,
        env={**os.environ, **environment},
    )
    if ended.returncode != 0:
        lines = ended.stderr.strip().splitlines() or ["exit code %d" % ended.returncode]
        said = [line for line in lines if line.startswith("eley: ")] or lines[-1:]
        raise EleyError(said[0].replace("eley: ", "", 1))
    return ended.stdout


def _place(origin):
    """An origin as one compares it: a directory by what it is, another address by its words."""
    address = urllib.parse.urlsplit(origin)
    if address.scheme == "file":
        return os.path.realpath(urllib.parse.unquote(address.path))
    if address.scheme:
        return origin.rstrip("/")
    return os.path.realpath(os.path.expanduser(origin))


class Deployment:
    """A deployment that runs: found in its directory, or started there and stopped at the end.

    origin      where the data lives; needed where none runs yet, and refused where one runs over
                another
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
            elif origin is not None:
                self._require_over(os.fspath(origin))
            self.conf = self._spark_conf()
        except BaseException:
            self.stop()
            raise
        atexit.register(self.stop)

    def _runs(self):
        if not os.path.exists(os.path.join(self.directory, "coordinator.address")):
            return False
        try:
            _eley("status", "-d", self.directory)
        except EleyError:
            return False  # a coordinator that was killed leaves its address
        return True

    def _require_over(self, origin):
        there = self.status()["originAddress"]
        if _place(there) != _place(origin):
            raise EleyError("the deployment in %s is over %s, not %s" % (self.directory, there, origin))

    def _start(self, origin, options, settings):
        words = ["start", "--origin", os.fspath(origin), "-d", self.directory]
        for name, value in options.items():
            if value is not None:
                words += [name, str(value)]
        for key, value in settings.items():
            words += ["-D", "%s=%s" % (key, _text(value))]
        self._started = True
        try:
            # It ends by itself when this Python is killed, which asks no atexit.
            _eley(*words, ELEY_PARENT=str(os.getpid()))
        except EleyError:
            # A start that was refused leaves nothing, and what runs there may be somebody else's.
            self._started = False
            raise

    def _spark_conf(self):
        lines = _eley("await", "--nodes", "1", "--spark-conf", "-d", self.directory).splitlines()
        return dict(line.split(" ", 1) for line in lines if line.startswith("spark."))

    def status(self):
        """What ``eley status --json`` says, as a dictionary."""
        return json.loads(_eley("status", "--json", "-d", self.directory))

    def submit_args(self):
        """Options for spark-submit or pyspark."""
        return [word for key in sorted(self.conf) for word in ("--conf", "%s=%s" % (key, self.conf[key]))]

    def configure(self, builder):
        """Adds what Spark has to know to a ``SparkSession.builder``, and returns that.

        A JVM that runs already takes no class path any more: then it raises an error.
        """
        there = dict(getattr(builder, "_options", {}))
        if "spark.remote" in there:
            raise EleyError(
                "a session of Spark Connect has its server's configuration: start the server by"
                " Deployment.connect() and give the builder its url"
            )
        _require_no_jvm(self.conf)
        for key, value in _joined(self.conf, there).items():
            builder = builder.config(key, value)
        return builder

    def connect(self, master=None, conf=None, spark_home=None):
        """Starts a server of Spark Connect whose reads go through this deployment.

        master      as of spark-submit; by default what spark-defaults.conf says, or ``local[*]``
        conf        more of Spark's configuration, as a dictionary; lists keep what is in them
        spark_home  by default $SPARK_HOME, or the Spark of the pyspark that is installed; 4.0 or
                    newer, since older servers ask nobody for a token

        Blocks until the server listens. See ``ConnectServer``.
        """
        own = dict(conf or {})
        if master is not None:
            own["spark.master"] = master
        return ConnectServer({**own, **_joined(self.conf, own)}, spark_home)

    def stop(self):
        """Stops what was started here, and only that; may be repeated."""
        atexit.unregister(self.stop)
        if self._started:
            self._started = False
            try:
                _eley("stop", "-d", self.directory)
            except (EleyError, OSError, subprocess.TimeoutExpired) as e:
                # Its files are what it can be stopped by later.
                print("eley: %s; still to be done: eley stop -d %s" % (e, self.directory), file=sys.stderr)
                return
        if self._private:
            shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop()


class ConnectServer:
    """A server of Spark Connect for whoever has its token, on this host's loopback alone.

    ``url`` is what ``SparkSession.builder.remote`` takes; the token is in it. It is written into a
    file of mode 0600 and is on no command line. The server ends with the block, by ``stop`` or with
    this Python, before the deployment it reads through.
    """

    def __init__(self, conf, spark_home=None):
        home = _spark_home(spark_home)
        self._directory = tempfile.mkdtemp(prefix="eley-connect-")
        self._process = None
        atexit.register(self.stop)
        token = secrets.token_hex(32)
        settings = {
            **conf,
            "spark.connect.authenticate.token": token,
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.grpc.binding.port": "0",
        }
        try:
            port = self._start(home, settings)
        except BaseException:
            self.stop()
            raise
        self.url = "sc://localhost:%d/;token=%s" % (port, token)

    def _start(self, home, settings):
        properties = os.path.join(self._directory, "spark.conf")
        with open(os.open(properties, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            for key, value in settings.items():
                file.write("%s %s\n" % (key, _line(key, value)))
        log = os.path.join(self._directory, "log")
        words = [
            os.path.join(home, "bin", "spark-submit"),
            "--properties-file",
            properties,
            "--load-spark-defaults",
            "--class",
            "org.apache.spark.sql.connect.service.SparkConnectServer",
            "--name",
            "Spark Connect",
            "spark-internal",
        ]
        with open(log, "w") as out:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "SPARK_HOME": home},
            )
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            ended = self._process.poll() is not None
            with open(log, errors="replace") as said:
                lines = said.read()
            listens = _LISTENS.search(lines)
            if listens:
                return int(listens.group(1))
            if ended:
                tail = " ".join(lines.split("\n")[-3:]).strip()
                raise EleyError("the server of Spark Connect has ended: %s" % tail)
            time.sleep(0.05)
        raise EleyError("the server of Spark Connect does not listen after %d s" % _PATIENCE)

    def stop(self):
        """Stops the server; may be repeated."""
        atexit.unregister(self.stop)
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        shutil.rmtree(self._directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop()


def _spark_home(given):
    home = given or os.environ.get("SPARK_HOME")
    if not home:
        try:
            import pyspark
        except ImportError:
            raise EleyError("there is no Spark: set SPARK_HOME, or install pyspark") from None
        home = os.path.dirname(pyspark.__file__)
    home = os.path.expanduser(home)
    if not glob.glob(os.path.join(home, "jars", "spark-connect_*-[4-9].*.jar")):
        raise EleyError("%s has no server of Spark Connect that wants a token: Spark 4.0 has" % home)
    return home


def _text(value):
    """A value as configurations have it: Python's True is their true."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _line(key, value):
    text = _text(value)
    if "\n" in text or "\r" in text or "\\" in text:
        raise EleyError("not a value for a properties file: that of %s" % key)
    return text


def _joined(conf, there):
    """The settings; lists among them with what is there already behind."""
    joined = {}
    for key, value in conf.items():
        own = str(there.get(key, ""))
        if key in _LISTS and own and value not in own.split(_LISTS[key]):
            value = value + _LISTS[key] + own
        joined[key] = value
    return joined


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
