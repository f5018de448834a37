"""Makes the Python environments that hidden tests and solutions run in.

One script for both kinds of sandbox: inside a container it makes what becomes an image of ours, on the user's machine
it fills a cache folder. It needs nothing but a Python 3 and reads one JSON object on standard input:

    stage         "environments", "requirements" or "layer"
    folder        absolute folder that holds (or will hold) `tests/` and `solution/`, one virtual environment each;
                  environments that are there are added to
    packages      stage environments: what the tests need, pip requirements; the first is pytest
    required      stage environments: those of `packages` without which a machine offline is of no use
    user          stage environments: `uid[:gid]` or `name[:group]` that owns the solution's environment, or null
    home          stage environments: home folder to be made for that user, or null
    source        stage requirements: folder whose requirements.txt is installed, or null
    requirements  stage requirements: text of requirements.txt, for when there is no source
    pipFrom       stage requirements: environment that pip is copied from when `solution/` is still to be made, or null
    emptySource   stage requirements: whether everything in `source` is removed afterwards
    target        stage layer: folder that the commands install to
    name          stage layer: what is installed, for messages
    commands      stage layer: shell commands, run in order
    env           variables for the installers; SLOP_LENS_INSTALL_SECONDS is how long one installation may take

It answers with JSON lines on standard output: {"event": "progress", "line"} any number of times, then one of
{"event": "done", "python", "uid", "gid", "offline", "warnings"} and {"event": "failed", "code", "message", "hint"}.
The syntax stays that of old Pythons, so that they can say that they are too old.
"""

import collections
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

OLDEST = (3, 9)
SHOWN = re.compile(r"^(Collecting|Downloading|Building|Installing|Successfully) ?", re.IGNORECASE)
NETWORK = re.compile(
    r"NewConnectionError|Failed to establish|ConnectTimeout|ReadTimeout|Read timed out|ConnectionResetError|"
    r"Connection (refused|reset|aborted)|RemoteDisconnected|name resolution|Name or service not known|"
    r"nodename nor servname|getaddrinfo|Network is unreachable|No route to host|ProxyError|SSLError|"
    r"CERTIFICATE_VERIFY_FAILED|certificate verify failed|HTTPError: (401|403|407|429|5\d\d)|"
    r"error sending request|dns error|tcp connect error|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN",
    re.IGNORECASE,
)
PIP = ["-m", "pip", "--disable-pip-version-check", "--no-input", "--no-color"]
# Settings of pip that would install somewhere else.
PIP_ELSEWHERE = ("TARGET", "PREFIX", "USER", "REQUIRE_VIRTUALENV")
# A package's own build may never end, or leave something running that holds pip's pipes open for ever.
LONGEST_SECONDS = 15 * 60
KEPT_LINES = 5000
PATIENCE = ["--retries", "2", "--timeout", "15", "--progress-bar", "off"]


class Failure(Exception):
    """An ending that the user reads: code, what happened, what to do."""

    def __init__(self, code, message, hint):
        Exception.__init__(self, message)
        self.event = {"event": "failed", "code": code, "message": message, "hint": hint}


class Outcome:
    """How an installer's run ended."""

    def __init__(self, code, lines):
        self.ok = code == 0
        self.network = not self.ok and any(NETWORK.search(line) for line in lines)
        errors = [line for line in lines if line.lower().startswith("error")]
        self.words = " ".join((errors or lines)[-3:])[:600]


def say(event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def progress(line):
    say({"event": "progress", "line": line})


def run(command, cwd=None):
    """Runs an installer, passes on the lines that a person may like, and keeps the rest for errors. Whatever it left
    running ends with it."""
    try:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return Outcome(127, [str(error)])
    longest = int(os.environ.get("SLOP_LENS_INSTALL_SECONDS", LONGEST_SECONDS))
    lines = collections.deque(maxlen=KEPT_LINES)
    reader = threading.Thread(target=follow, args=(process.stdout, lines), daemon=True)
    reader.start()
    try:
        code = process.wait(timeout=longest)
    except subprocess.TimeoutExpired:
        code = None
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    reader.join(timeout=5)
    if code is None:
        process.wait()
        return Outcome(124, list(lines) + ["Error: stopped after %d seconds" % longest])
    return Outcome(code, list(lines))


def follow(stream, lines):
    for raw in stream:
        line = raw.decode("utf-8", "replace").strip()
        if line:
            lines.append(line)
        if SHOWN.match(line):
            progress(line[:200])


def interpreter(environment):
    return os.path.join(environment, "bin", "python")


def make_environment(folder):
    """A virtual environment without pip; by hand where the venv module is not installed."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        import venv

        venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)
        return
    except ImportError:
        pass
    base = os.path.realpath(sys.executable)
    version = "python%d.%d" % sys.version_info[:2]
    os.makedirs(os.path.join(folder, "bin"))
    os.makedirs(os.path.join(folder, "lib", version, "site-packages"))
    for name in ("python", "python3", version):
        os.symlink(base, os.path.join(folder, "bin", name))
    with open(os.path.join(folder, "pyvenv.cfg"), "w") as file:
        file.write("home = %s\ninclude-system-site-packages = false\n" % os.path.dirname(base))


def site_packages(folder):
    return os.path.join(folder, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")


def add_pip(folder):
    """Puts pip into an environment, from whatever this Python has."""
    if run([interpreter(folder), "-Im", "ensurepip", "--upgrade", "--default-pip"]).ok:
        return
    ways = []
    if run([sys.executable, "-m", "pip", "--version"]).ok:
        ways.append([sys.executable] + PIP + ["install", "--target", site_packages(folder)] + PATIENCE + ["pip"])
    uv = shutil.which("uv")
    if uv:
        ways.append([uv, "pip", "install", "--python", interpreter(folder), "pip"])
    last = None
    for way in ways:
        last = run(way)
        if last.ok:
            return
    if last is not None and last.network:
        raise unreachable(last)
    raise Failure(
        "image-unsuitable",
        "its Python has no pip and no way to get one",
        "Add python3-venv (Debian, Ubuntu), py3-pip (Alpine) or what else brings `ensurepip`, or name another image.",
    )


def copy_pip(donor, folder):
    """pip from another environment: it is the same Python, and a copy is much faster than an installation."""
    for name in os.listdir(site_packages(donor)):
        if name != "pip" and not re.match(r"pip-.*\.dist-info$", name):
            continue
        shutil.copytree(os.path.join(site_packages(donor), name), os.path.join(site_packages(folder), name))
    for name in ("pip", "pip3"):
        script = os.path.join(folder, "bin", name)
        with open(script, "w") as file:
            file.write('#!/bin/sh\nexec "$(dirname "$0")/python" -m pip "$@"\n')
        os.chmod(script, 0o755)


def unreachable(outcome):
    return Failure(
        "dependencies-unavailable",
        "The Python package index cannot be reached: " + outcome.words,
        "Check network, proxy and certificates (`env` and `extra_mounts` of the environment), then try again.",
    )


def pip_install(folder, arguments, cwd=None):
    return run([interpreter(folder)] + PIP + ["install"] + PATIENCE + arguments, cwd)


def see_base_packages(folder, visible):
    """Whether the environment also sees what is installed beside the interpreter itself."""
    path = os.path.join(folder, "pyvenv.cfg")
    with open(path) as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("include-system-site-packages")]
    lines.append("include-system-site-packages = " + ("true" if visible else "false"))
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def satisfied_by_base(folder, arguments, cwd=None):
    """Tries without network whether the interpreter's own packages do; leaves them visible if so."""
    see_base_packages(folder, True)
    if pip_install(folder, ["--no-index"] + arguments, cwd).ok:
        return True
    see_base_packages(folder, False)
    return False


def install_test_packages(folder, spec):
    """Returns (offline, warnings)."""
    packages = spec["packages"]
    outcome = pip_install(folder, packages)
    if outcome.ok:
        return False, []
    if not outcome.network:
        raise Failure(
            "dependencies-unavailable",
            "The packages that the hidden tests need cannot be installed: " + outcome.words,
            "Check `test_dependencies` in the problem's config.yaml.",
        )
    if not satisfied_by_base(folder, spec["required"]):
        raise unreachable(outcome)
    missing = [name for name in packages if not pip_install(folder, ["--no-index", name]).ok]
    warning = "The Python package index cannot be reached; the tests use the packages that are installed already"
    if missing:
        warning += ", without " + ", ".join(missing)
    return True, [warning]


def add_uv(tests, solution):
    """uv is a convenience for agents and solutions; nothing of ours needs it."""
    if shutil.which("uv"):
        return
    link = os.path.join(solution, "bin", "uv")
    if pip_install(tests, ["--only-binary", ":all:", "uv"]).ok and not os.path.lexists(link):
        os.symlink(os.path.join(tests, "bin", "uv"), link)


def look_up(user):
    """(uid, gid) of `uid[:gid]` or `name[:group]`."""
    import grp
    import pwd

    name, _, group = user.partition(":")
    try:
        uid = int(name) if name.isdigit() else pwd.getpwnam(name).pw_uid
        if group:
            return uid, int(group) if group.isdigit() else grp.getgrnam(group).gr_gid
    except KeyError:
        raise Failure(
            "image-unsuitable",
            "it has no user `%s`" % user,
            "Give `docker.user` of the environment as numbers, for example 1000:1000.",
        )
    try:
        return uid, pwd.getpwuid(uid).pw_gid
    except KeyError:
        return uid, uid


def know_user(uid, gid, home):
    """Many tools stop when their user has no entry in the user database."""
    import grp
    import pwd

    try:
        grp.getgrgid(gid)
    except KeyError:
        with open("/etc/group", "a") as file:
            file.write("slop-lens-%d:x:%d:\n" % (gid, gid))
    try:
        pwd.getpwuid(uid)
    except KeyError:
        with open("/etc/passwd", "a") as file:
            file.write("slop-lens-%d:x:%d:%d::%s:/bin/sh\n" % (uid, uid, gid, home))


def hand_over(folder, uid, gid):
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            os.lchown(os.path.join(parent, name), uid, gid)
    os.lchown(folder, uid, gid)


def make_home(spec):
    """The user's home folder and identity; returns (uid, gid)."""
    if not spec["user"]:
        return None, None
    uid, gid = look_up(spec["user"])
    know_user(uid, gid, spec["home"])
    os.makedirs(spec["home"], exist_ok=True)
    os.chmod(spec["home"], 0o700)
    os.lchown(spec["home"], uid, gid)
    return uid, gid


def environments(spec):
    if sys.version_info[:2] < OLDEST:
        raise Failure(
            "image-unsuitable",
            "its python3 is %s" % sys.version.split()[0],
            "Name an image with Python 3.9 or newer.",
        )
    tests = os.path.join(spec["folder"], "tests")
    solution = os.path.join(spec["folder"], "solution")
    uid, gid = make_home(spec)
    if os.path.exists(interpreter(tests)):
        offline, warnings = install_test_packages(tests, spec)
        return {"uid": uid, "gid": gid, "offline": offline, "warnings": warnings}
    progress("Making the environments of tests and solution")
    make_environment(tests)
    add_pip(tests)
    make_environment(solution)
    copy_pip(tests, solution)
    offline, warnings = install_test_packages(tests, spec)
    if not offline:
        add_uv(tests, solution)
    if uid is not None:
        os.makedirs(os.path.join(spec["folder"], "harness"), exist_ok=True)
        hand_over(solution, uid, gid)
    return {"uid": uid, "gid": gid, "offline": offline, "warnings": warnings}


def index_answers(folder):
    """Whether a package that is surely there can be had: tells the solution's fault from the network's."""
    with tempfile.TemporaryDirectory() as scratch:
        arguments = ["download", "--no-deps", "--dest", scratch] + PATIENCE + ["iniconfig"]
        return run([interpreter(folder)] + PIP + arguments).ok


def install_requirements(folder, source):
    """Returns (offline, warnings); what the solution asks for and cannot be had is its own fault, so only a warning."""
    arguments = ["-r", "requirements.txt"]
    outcome = pip_install(folder, arguments, source)
    if outcome.ok:
        return False, []
    if outcome.network and not index_answers(folder):
        if satisfied_by_base(folder, arguments, source):
            met = "requirements.txt is met by packages that are installed already"
            return True, ["The Python package index cannot be reached; " + met]
        raise unreachable(outcome)
    return False, ["requirements.txt of the solution cannot be installed: " + outcome.words]


def empty(folder):
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)


def requirements(spec):
    solution = os.path.join(spec["folder"], "solution")
    if not os.path.exists(interpreter(solution)):
        progress("Making the environment of the solution")
        make_environment(solution)
        copy_pip(spec["pipFrom"], solution)
    progress("Installing requirements.txt")
    if spec["source"]:
        offline, warnings = install_requirements(solution, spec["source"])
        if spec["emptySource"]:
            empty(spec["source"])
    else:
        with tempfile.TemporaryDirectory() as scratch:
            with open(os.path.join(scratch, "requirements.txt"), "wb") as file:
                file.write(spec["requirements"].encode("utf-8", "surrogateescape"))
            offline, warnings = install_requirements(solution, scratch)
    return {"uid": None, "gid": None, "offline": offline, "warnings": warnings}


def layer(spec):
    """Runs the commands that install something on top, with a Python of their own to install from."""
    target = spec["target"]
    python = os.path.join(target, "python")
    os.makedirs(os.path.join(target, "bin"), exist_ok=True)
    make_environment(python)
    copy_pip(os.path.join(spec["folder"], "tests"), python)
    found = [os.path.join(target, "bin"), os.path.join(python, "bin"), os.environ.get("PATH", os.defpath)]
    os.environ.update(PATH=os.pathsep.join(found), SLOP_LENS_AGENT=target)
    for command in spec["commands"]:
        progress("Installing " + spec["name"])
        outcome = run(["/bin/sh", "-ec", command], "/")
        if not outcome.ok:
            raise layer_failure(spec["name"], outcome)
    return {"uid": None, "gid": None, "offline": False, "warnings": []}


def layer_failure(name, outcome):
    if outcome.network:
        return Failure(
            "dependencies-unavailable",
            "%s cannot be installed, because a package index cannot be reached: %s" % (name, outcome.words),
            "Check network, proxy and certificates (`env` and `extra_mounts` of the environment), then try again.",
        )
    return Failure(
        "agent-invalid",
        "%s cannot be installed: %s" % (name, outcome.words),
        "Check `version` and `install` of the agent.",
    )


def main():
    # Variables of the caller's own Python would reach into the environments that are made here.
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", *("PIP_" + key for key in PIP_ELSEWHERE)):
        os.environ.pop(name, None)
    os.umask(0o022)
    try:
        spec = json.load(sys.stdin)
        os.environ.update(spec["env"])
        stages = {"environments": environments, "requirements": requirements, "layer": layer}
        result = stages[spec["stage"]](spec)
        result.update(event="done", python="%d.%d.%d" % sys.version_info[:3])
        say(result)
    except Failure as failure:
        say(failure.event)
    except OSError as error:
        full = error.errno == 28
        say(
            {
                "event": "failed",
                "code": "disk-full" if full else "image-unsuitable",
                "message": "The disk is full" if full else str(error),
                "hint": "Free some space, then try again." if full else "",
            }
        )


main()
