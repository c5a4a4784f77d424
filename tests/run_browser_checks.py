"""Every check that needs a browser: the report, looked at in a real Chromium.

usage: python3 tests/run_browser_checks.py [ARGUMENTS OF PYTEST]

Sets up .venv as bootstrap.py does, and beside it the hash-pinned packages of requirements-browser.txt, once.
The browser is the system's own: Chromium or Chrome on PATH, or the one that the variable CHROMIUM names.

exit code: 0 all passed; 1 something failed, or there was nothing to check; 2 it could not be done; 130 on
Ctrl-C
"""

import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, ROOT)

import bootstrap  # noqa: E402  # it lies at the root, which is on the path only now

PINS = os.path.join(ROOT, "requirements-browser.txt")
TESTS = os.path.join("tests", "browser", "test_report_browser.py")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
#: pytest's own exit codes to ours; 5 says that no test was collected.
PYTEST_CODES = {0: 0, 1: 1, 2: 130, 5: 1}


def main(arguments):
    if sys.version_info < bootstrap.OLDEST:
        return bootstrap.refuse(bootstrap.too_old())
    if arguments[:1] in (["-h"], ["--help"]):
        sys.stdout.write(__doc__ or "")
        return 0
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None or shutil.which(browser) is None:
        return bootstrap.refuse(
            "There is no Chromium on PATH. On Debian or Ubuntu: apt-get install chromium; elsewhere name one "
            "with the variable CHROMIUM."
        )
    try:
        bootstrap.set_up(for_test=True)
        packages = browser_packages()
    except bootstrap.Impossible as error:
        return bootstrap.refuse(str(error))
    except KeyboardInterrupt:
        return 130
    environment = dict(os.environ, CHROMIUM=browser, PYTHONPATH=packages)
    environment.pop("PYTEST_ADDOPTS", None)
    command = [bootstrap.venv_python(), "-m", "pytest", *(arguments or [TESTS])]
    return PYTEST_CODES.get(subprocess.run(command, cwd=ROOT, env=environment).returncode, 2)


def browser_packages():
    """Install what only these checks need into a folder of .venv, which appears complete or not at all."""
    folder = os.path.join(bootstrap.VENV, "browser-" + bootstrap.digest(PINS)[:16])
    if not os.path.isdir(folder):
        bootstrap.say("Installing the packages of the browser checks, once.")
        with tempfile.TemporaryDirectory(prefix=bootstrap.WORK, dir=ROOT) as work:
            os.rename(bootstrap.install(PINS, work), folder)
    return folder


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
