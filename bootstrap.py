"""Set up .venv beside this file once, then run a command of the project in it.

usage: python3 bootstrap.py COMMAND [ARGUMENTS]

  run --out DIR ...   run a suite, print its table, write a run directory     (run.py)
  audit DIR ...       recompute a run directory from its inputs               (audit.py)
  test                every check that needs no browser; with arguments, pytest alone with those arguments
  lint FOLDER ...     check the files of a suite, and name every fault
  exercise DIR        make a fresh exercise folder: a registry, requests, and one accepted case to change
  explain RUN CASE    tell the story of one verdict: each layer, what was found, what to change
  compare A B         compare two run directories: which cases changed their verdict, and at which layer
  explore             judge every candidate that a closed vocabulary can build, and count
  report RUN --out F  make one self-contained, accessible page of a run directory, to look at
  prompt --suite S    print a ready prompt for a request, or the JSON Schema of a candidate
  judge --suite S IN  judge logged answers by the million, a verdict row for each
  --version           print the version

The eight from lint on are also python -m grounded_claims COMMAND, where the packages are. Each takes --help.

The first call installs the hash-pinned packages of requirements.txt (for test, those of
requirements-dev.txt too) with uv, else with this Python's own pip, else with ensurepip; later calls go
straight on. What the set-up has to say goes to standard error.

exit code: that of the command; 2 if the set-up could not be done; 130 on Ctrl-C
"""

# The standard library only, and only syntax that Python 2.7 reads: a Python too old gets a sentence, not a
# SyntaxError. Hence the type comments. What a later call does not need is imported where it is used.
#
# The set-up, in order. It holds a lock, so that two of them take turns.
#   1. Install the packages of requirements.txt into a folder beside .venv.
#   2. Make .venv anew, without pip, and move the packages in: the old one goes only once its successor is
#      at hand. One that carries no stamp is not ours, and is left alone.
#   3. Name src/ in a .pth file, so that nothing of the checkout has to be built or installed.
#   4. Write the stamp. Without it, or with another, .venv is not trusted.
#   5. For test, install the packages of requirements-dev.txt beside, too, and move them into .venv as a
#      folder of their own, which appears by rename: a run under way in the same .venv notices nothing.

import os
import sys

MYPY = False
if MYPY:
    from typing import Callable, Dict, List, Optional, Tuple

OLDEST = (3, 10)
HERE = os.path.dirname(os.path.realpath(__file__))
VENV = os.path.join(HERE, ".venv")
STAMP = os.path.join(VENV, "set-up-by-bootstrap")
WORK = ".venv.new-"
UNFINISHED = b"unfinished\n"
RUNTIME = os.path.join(HERE, "requirements.txt")
DEVELOPMENT = os.path.join(HERE, "requirements-dev.txt")

SCRIPTS = {"run": "run.py", "audit": "audit.py", "test": os.path.join("tests", "run_checks.py")}
PACKAGE = os.path.join(HERE, "src", "grounded_claims")
COMMANDS = os.path.join(PACKAGE, "commands")
CALLED = "GROUNDED_CLAIMS_CALLED"  # tells the command what was typed before its name, for its usage line
TEST_USAGE = """\
usage: python3 bootstrap.py test [ARGUMENTS OF PYTEST]

Without arguments: ruff, mypy --strict, the frozen suites, all tests with their coverage, the archived runs;
some minutes. With arguments pytest alone, from the root of the checkout: -k NAME, tests/test_gate.py.
The first call installs the development tools of requirements-dev.txt, about 165 MB.

exit code: 0 all passed; 1 something failed, or there was nothing to check; 2 could not be done; 130 on Ctrl-C
"""

# What a user's environment may hold that would send the packages elsewhere, or pick others. Where packages
# come from (index, proxy, certificates, cache) is the user's to say, and stays.
MISLEADING = """
    PYTHONEXECUTABLE PYTHONHOME PYTHONPATH PYTHONPLATLIBDIR VIRTUAL_ENV __PYVENV_LAUNCHER__
    PIP_ABI PIP_CONSTRAINT PIP_DRY_RUN PIP_EDITABLE PIP_IMPLEMENTATION PIP_NO_BINARY PIP_ONLY_BINARY
    PIP_PLATFORM PIP_PREFIX PIP_PYTHON PIP_PYTHON_VERSION PIP_REPORT PIP_REQUIREMENT PIP_ROOT PIP_SRC
    PIP_TARGET PIP_UPGRADE PIP_UPLOADED_PRIOR_TO
    UV_BUILD_CONSTRAINT UV_CONSTRAINT UV_EXCLUDE UV_EXCLUDE_NEWER UV_NO_BINARY UV_NO_BINARY_PACKAGE
    UV_OVERRIDE UV_PROJECT UV_PYTHON UV_SYSTEM_PYTHON UV_WORKING_DIR UV_WORKING_DIRECTORY
""".split()
MISLEADING_PYTHON = [name for name in MISLEADING if name.startswith(("PYTHON", "__"))]

# Runs a Python's pip in the user's working directory, where relative paths of pip's settings hold, without
# importing anything from there. Exit code 77 says that there is no pip.
PIP = """\
import runpy, sys
sys.path[:] = [entry for entry in sys.path if entry]
try:
    import pip
except ImportError:
    sys.exit(77)
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""
NO_PIP = 77
OWN_PIP = "this Python's own pip"

# Marks of a failure in what pip or uv print, in small letters, the most telling first; and what to do then.
NO_NETWORK = (
    "The package index could not be reached: is there a network? Behind a proxy, set HTTPS_PROXY. Without\n"
    "any network, bring the pinned packages along in a folder; set PIP_NO_INDEX=1 and PIP_FIND_LINKS=FOLDER."
)
NOT_THE_PINNED = (
    "A package was not the file that is pinned, so nothing was installed. A download cut short looks like\n"
    "this, and an index that serves other files: try again, or with another index."
)
HINTS = {
    "do not match the hashes|hash mismatch": NOT_THE_PINNED,
    "certificate_verify_failed|invalid peer certificate|unknownissuer": (
        "This machine does not trust the certificate of the package index: let PIP_CERT and SSL_CERT_FILE\n"
        "name the certificates of your network."
    ),
    "no space left on device|disk quota exceeded": (
        "The disk is full: the packages need about 10 MB, those for test about 165 MB more."
    ),
    "failed to establish a new connection|newconnectionerror|connecttimeouterror|connectionreseterror|"
    "temporary failure in name resolution|name or service not known|nodename nor servname|getaddrinfo failed|"
    "connection refused|network is unreachable|timed out|proxyerror|dns error|tcp connect error|"
    "error trying to connect|client error (connect)": NO_NETWORK,
    "no matching distribution found|no usable wheels|has no wheels|no wheels with a matching": (
        "No ready-built package was found for this Python on this machine. The pins cover Python 3.10 to\n"
        "3.14 on Linux, macOS and Windows; nothing is built from source, as the tools for it are not pinned."
    ),
}
NOTHING_TO_INSTALL_WITH = (
    "One of the three is needed. On Debian or Ubuntu: apt install python3-venv. On Fedora: dnf install\n"
    "python3-pip. Elsewhere: install uv. Then call again."
)
UNKNOWN = "Mend what is named there, and call again."


class Impossible(Exception):
    """The set-up cannot be done; the text says why, and how to mend it."""


class Failed(Exception):
    """One way of installing did not work; `reason` for the user, and all that it printed."""

    def __init__(self, reason, output=""):
        # type: (str, str) -> None
        Exception.__init__(self, reason)
        self.missing = not output
        printed = output.lower()
        hints = [text for marks, text in HINTS.items() if any(m in printed for m in marks.split("|"))]
        self.hint = hints[0] if hints else None
        # Of an index that does not answer, pip says that it has no such version.
        mistaken = self.hint == NO_NETWORK and reason.startswith("ERROR: Could not find a version")
        self.reason = "the package index could not be reached" if mistaken else reason


def main(arguments):
    # type: (List[str]) -> int
    if sys.version_info < OLDEST:
        return refuse(too_old())
    if arguments and arguments[0] in ("-h", "--help"):
        sys.stdout.write(usage())
        return 0
    if arguments and arguments[0] == "--version":
        sys.stdout.write("grounded-claims %s\n" % version())
        return 0
    if not arguments:
        return refuse(usage())
    known = list(SCRIPTS) + module_commands()
    if arguments[0] not in known:
        return refuse(unknown(arguments[0], known))
    if arguments[0] == "test" and arguments[1:2] in (["-h"], ["--help"]):
        sys.stdout.write(TEST_USAGE)
        return 0
    try:
        set_up(for_test=arguments[0] == "test")
        return hand_over(arguments[0], arguments[1:])
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        return 130
    except Impossible as error:
        return refuse(str(error))


def refuse(sentence):
    # type: (str) -> int
    sys.stderr.write(sentence.rstrip("\n") + "\n")
    return 2


def say(sentence):
    # type: (str) -> None
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


def usage():
    # type: () -> str
    return __doc__ or ""


def unknown(word, known):
    # type: (str, List[str]) -> str
    import difflib

    near = difflib.get_close_matches(word.lower(), known, n=1)
    asked = " Did you mean '%s'?" % near[0] if near else ""
    return "There is no command '%s'.%s Known are: %s." % (word, asked, ", ".join(known))


def version():
    # type: () -> str
    """Read the version where the package says it; nothing is imported, nothing set up."""
    text = contents(os.path.join(PACKAGE, "__init__.py")) or b""
    found = [line for line in text.decode("utf-8").splitlines() if line.startswith("__version__ = ")]
    return found[0].split('"')[1] if found else "of an unknown version: the checkout is not complete"


def module_commands():
    # type: () -> List[str]
    """List the commands of python -m grounded_claims: each is a module of its own."""
    names = [name[:-3] for name in os.listdir(COMMANDS) if name.endswith(".py") and name[0] != "_"]
    return sorted(set(names) - set(SCRIPTS))


def too_old():
    # type: () -> str
    sentence = "Grounded Claims needs Python %d.%d or newer, and this is Python %s." % (
        OLDEST + (".".join(str(part) for part in sys.version_info[:3]),)
    )
    newer = newer_python()
    return sentence + (" A newer one is here: %s bootstrap.py" % newer if newer else "")


def newer_python():
    # type: () -> Optional[str]
    """Name a new enough Python on PATH. It is tried, since a shim of that name may stand for nothing."""
    import subprocess

    check = "import sys; sys.exit(sys.version_info < (%d, %d))" % OLDEST
    names = ["python3.%d" % minor for minor in range(14, OLDEST[1] - 1, -1)] + ["python3"]
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    with open(os.devnull, "r+") as nothing:
        for name in names:
            found = [path for path in (os.path.join(f, name) for f in folders) if os.access(path, os.X_OK)]
            if found and subprocess.call([found[0], "-S", "-c", check], stdout=nothing, stderr=nothing) == 0:
                return name
    return None


def hand_over(command, arguments):
    # type: (str, List[str]) -> int
    """Become the command, in the user's working directory: its exit code, or signal, is ours."""
    if command in SCRIPTS:
        argv = [venv_python(), os.path.join(HERE, SCRIPTS[command])] + arguments
    else:
        argv = [venv_python(), "-m", "grounded_claims", command] + arguments
    environment = {name: value for name, value in os.environ.items() if name not in MISLEADING_PYTHON}
    environment.pop(CALLED, None)
    if command != "test":
        typed = sys.argv[0]
        environment[CALLED] = "python3 " + ("'%s'" % typed if " " in typed else typed)
    if sys.platform == "win32":
        return wait_for(argv, environment)
    try:
        os.execve(argv[0], argv, environment)
    except OSError as error:
        raise Impossible("%s cannot be started: %s" % (argv[0], error.strerror))


def wait_for(argv, environment):
    # type: (List[str], Dict[str, str]) -> int
    """Run the command where a process cannot become another. Ctrl-C reaches both; the command answers it."""
    import subprocess

    process = subprocess.Popen(argv, env=environment)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def venv_python():
    # type: () -> str
    return os.path.join(VENV, *(["Scripts", "python.exe"] if os.name == "nt" else ["bin", "python"]))


def stamp():
    # type: () -> bytes
    """Say what .venv was made from: where it lies, which Python made it, which packages are in it."""
    python = " ".join(sys.version.split())
    machine = os.uname().machine if hasattr(os, "uname") else sys.platform
    lines = [VENV, python, machine, os.path.realpath(os.__file__), "requirements.txt " + digest(RUNTIME)]
    return "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")


def digest(path):
    # type: (str) -> str
    import hashlib

    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError as error:
        raise Impossible("%s cannot be read (%s): the checkout is not complete." % (path, error.strerror))


def tools():
    # type: () -> str
    """Name the folder of the development tools. It appears complete, so that to be there is to be right."""
    return os.path.join(VENV, "tools-" + digest(DEVELOPMENT)[:16])


def contents(path):
    # type: (str) -> Optional[bytes]
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def set_up(for_test):
    # type: (bool) -> None
    """Make what is missing of .venv. A second call finds nothing to do."""
    if is_complete(for_test):
        return
    import shutil
    import tempfile
    import time

    started = time.time()
    lock = take_lock()
    work = None
    try:
        if is_complete(for_test):
            return
        for name in os.listdir(HERE) if lock is not None else []:
            if name.startswith(WORK):  # of a set-up that was killed
                shutil.rmtree(os.path.join(HERE, name), ignore_errors=True)
        work = tempfile.mkdtemp(prefix=WORK, dir=HERE)
        build(work, for_test)
        say("Set up in %.0f s." % (time.time() - started))
    except OSError as error:
        raise Impossible(
            "%s cannot be made: %s (%s).\nMake room, or copy the checkout where you can write; then "
            "call again." % (VENV, error.strerror, error.filename)
        )
    finally:
        if work:
            shutil.rmtree(work, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def is_complete(for_test):
    # type: (bool) -> bool
    return contents(STAMP) == stamp() and os.path.exists(venv_python()) and not (for_test and missing_tools())


def missing_tools():
    # type: () -> bool
    return not os.path.isdir(tools())


def take_lock():
    # type: () -> Optional[int]
    """Wait until no other set-up is at work here. The lock is on the folder, and ends with this process."""
    if sys.platform == "win32":
        return None
    import fcntl

    lock = os.open(HERE, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Another set-up is at work here; waiting for it.")
        fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError:
        # A file system without locks. What another might see half-made still carries no stamp.
        os.close(lock)
        return None
    return lock


def build(work, for_test):
    # type: (str, bool) -> None
    if contents(STAMP) != stamp() or not os.path.exists(venv_python()):
        refuse_what_is_not_ours()
        say("Setting up .venv, once.")
        make_venv(install(RUNTIME, work), work)
    if for_test and missing_tools():
        say("Installing the development tools, once.")
        add_tools(install(DEVELOPMENT, work))


def refuse_what_is_not_ours():
    # type: () -> None
    ours = (
        not os.path.islink(VENV) and os.path.isdir(VENV) and (os.path.exists(STAMP) or not os.listdir(VENV))
    )
    if os.path.lexists(VENV) and not ours:
        raise Impossible(
            "%s was not made by bootstrap.py, so it is left alone. Rename it, and call again." % VENV
        )


def make_venv(packages, work):
    # type: (str, str) -> None
    import shutil

    python = base_python()  # now, while .venv is still there: it may be .venv's own Python that runs this
    if os.path.lexists(VENV):
        os.rename(VENV, os.path.join(work, "old"))
    os.mkdir(VENV)
    try:
        write(STAMP, UNFINISHED)
        code, output = call([python, "-I", "-m", "venv", "--without-pip", VENV])
        if code:
            raise Impossible(
                "This Python cannot make a virtual environment: %s\n"
                "On Debian or Ubuntu: apt install python3-venv. Then call again." % telling_line(output)
            )
        site = site_packages()
        os.rmdir(site)
        os.rename(packages, site)
        name_folders(site)
        write(STAMP, stamp())
    except BaseException:
        shutil.rmtree(VENV, ignore_errors=True)
        raise


def add_tools(packages):
    # type: (str) -> None
    """Move the tools in. Python reads .pth files in site-packages alone, and coverage has one."""
    import shutil

    site = site_packages()
    name_folders(site)
    for name in os.listdir(packages):
        if name.endswith(".pth"):
            write(os.path.join(site, name), contents(os.path.join(packages, name)) or b"")
    os.rename(packages, tools())
    for name in os.listdir(VENV):
        if name.startswith("tools-") and name != os.path.basename(tools()):
            shutil.rmtree(os.path.join(VENV, name), ignore_errors=True)


def name_folders(site):
    # type: (str) -> None
    """Name src/ and the tools in a .pth file; relative, and so in ASCII, wherever the checkout lies."""
    folders = [os.path.join(HERE, "src"), tools()]
    lines = [os.path.relpath(folder, site) + "\n" for folder in folders]
    write(os.path.join(site, "0-grounded-claims.pth"), "".join(lines).encode("ascii"))


def site_packages():
    # type: () -> str
    code, output = call([venv_python(), "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    if code:
        raise Impossible("The Python of %s does not start: %s" % (VENV, telling_line(output)))
    return output.strip()


def write(path, data):
    # type: (str, bytes) -> None
    """Replace the file at once: a reader sees the old bytes or the new ones."""
    beside = path + ".new"
    with open(beside, "wb") as file:
        file.write(data)
    os.replace(beside, path)


def install(requirements, work):
    # type: (str, str) -> str
    """Put the packages into a new folder, by the first way that works, and return the folder."""
    import shutil

    packages = os.path.join(work, "packages")
    file = os.path.basename(requirements)
    failures = []  # type: List[Tuple[str, Failed]]
    for name, way in WAYS:
        try:
            os.mkdir(packages)
            way(requirements, packages, work)
            say("Installed the packages of %s with %s." % (file, name))
            return packages
        except Failed as failure:
            failures.append((name, failure))
        shutil.rmtree(packages, ignore_errors=True)
        if name == OWN_PIP and failures[-1][1].hint in (NO_NETWORK, NOT_THE_PINNED):
            break  # ensurepip would ask the same index, in the same way
    tried = ["  %s: %s" % (name, failure.reason) for name, failure in failures]
    advice = sorted({failure.hint for _, failure in failures if failure.hint})
    if not advice:
        advice = [NOTHING_TO_INSTALL_WITH if all(failure.missing for _, failure in failures) else UNKNOWN]
    lines = ["The packages of %s could not be installed. Tried:" % file] + tried + advice
    raise Impossible("\n".join(lines))


def by_uv(requirements, packages, work):
    # type: (str, str, str) -> None
    import shutil

    uv = shutil.which("uv")
    if uv is None:
        raise Failed("it is not on PATH")
    options = ["--python", base_python(), "--compile-bytecode"]
    code, output = call([uv, "pip", "install"] + options + what(requirements, packages), cwd=HERE)
    if code:
        raise Failed(telling_line(output), output)


def by_own_pip(requirements, packages, work):
    # type: (str, str, str) -> None
    """Use the pip of the Python that was called, or of the one that it was made from."""
    for python in [sys.executable, base_python()]:
        if pip_of(python, requirements, packages):
            return
    raise Failed("it has none")


def by_ensurepip(requirements, packages, work):
    # type: (str, str, str) -> None
    """Use the pip that came with this Python, in an environment that is thrown away."""
    folder = os.path.join(work, "ensurepip")
    code, output = call([base_python(), "-I", "-m", "venv", folder])
    if code:
        if "ensurepip is not" in output or "No module named" in output:
            raise Failed("it has none")
        raise Failed(telling_line(output), output)
    python = os.path.join(folder, os.path.relpath(venv_python(), VENV))
    if not pip_of(python, requirements, packages):
        raise Failed("it brought no pip")


WAYS = [
    ("uv", by_uv),
    (OWN_PIP, by_own_pip),
    ("ensurepip", by_ensurepip),
]  # type: List[Tuple[str, Callable[[str, str, str], None]]]


def pip_of(python, requirements, packages):
    # type: (str, str, str) -> bool
    """Install with a Python's pip; false if it has none. --target suits a pip of any age, and PEP 668."""
    options = ["--disable-pip-version-check", "--no-input"]
    options += [] if "PIP_RETRIES" in os.environ else ["--retries", "1"]
    code, output = call([python, "-c", PIP, "install"] + options + what(requirements, packages))
    if code not in (0, NO_PIP):
        raise Failed(telling_line(output), output)
    return code == 0


def what(requirements, packages):
    # type: (str, str) -> List[str]
    """Say what to install, alike for uv and pip. The pins are complete: nothing else is to be looked for."""
    how = ["--require-hashes", "--no-deps", "--only-binary", ":all:"]
    return how + ["--target", packages, "-r", requirements]


def base_python():
    # type: () -> str
    """Name the Python that an environment in use was made from; .venv must outlive that environment."""
    if sys.prefix == sys.base_prefix:
        return sys.executable
    base = getattr(sys, "_base_executable", sys.executable)  # type: str
    return base if base != sys.executable else os.path.realpath(sys.executable)


def call(argv, cwd=None):
    # type: (List[str], Optional[str]) -> Tuple[int, str]
    """Run a program of the set-up, nothing misleading around it; return its exit code and what it printed."""
    import subprocess

    environment = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    environment.update(PIP_USER="0", PIP_REQUIRE_VIRTUALENV="0", UV_PYTHON_DOWNLOADS="never")
    environment.setdefault("UV_HTTP_RETRIES", "1")
    pipe = subprocess.PIPE
    try:
        done = subprocess.run(
            argv, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=subprocess.STDOUT
        )
    except OSError as error:
        return 126, "%s cannot be started: %s" % (argv[0], error.strerror)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def telling_line(output):
    # type: (str) -> str
    """Pick the line that says what went wrong: the first error and, of uv's chain of causes, the last one."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error:") and line != "ERROR: Exception:"]
    causes = [line for line in lines if line.lower().startswith(("caused by:", "cause:"))]
    told = errors[:1] + causes[-1:] or lines[-1:] or ["it failed without a word"]
    return " - ".join(line if len(line) <= 300 else line[:297] + "..." for line in told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
