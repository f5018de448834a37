"""Lists the files that a release of scb-check cannot take, one JSON object a line.

Runs with the Python of the virtual environment that holds scb-check. A file on which its analysis raises aborts a
whole run of the command, so the comparison has to leave such files out for both sides.
"""

import json
import signal
import sys
from pathlib import Path

from scb_check.analysis.clones import detect_clones
from scb_check.config import Config
from scb_check.walker import walk_python_files

try:
    from scb_check import pipeline
    from scb_check.tree_walking.semantic import build_project
except ImportError:
    from scb_check.analysis.loc import sloc_line_numbers
    from scb_check.analysis.parse import ParseError, parse_file
    from scb_check.analysis.symbols import extract_functions

    def walk(root):
        return walk_python_files(root, Config(exclude=(), base_dir=root))

    def analyze(file):
        try:
            source, tree = parse_file(file)
        except ParseError:
            return
        lines = sloc_line_numbers(source, tree)
        extract_functions(file, tree, lines)
        detect_clones(((file, source, tree),))

else:
    from scb_check.walker import walk_source_files

    def walk(root):
        return walk_source_files(root, Config(exclude=(), base_dir=root), include_ignored=True)

    def analyze(file):
        sources = pipeline._parse_sources((file,))
        build_project(tuple(parsed.module for parsed in sources.parsed_files))
        detect_clones(sources.parsed_files)


SECONDS_PER_FILE = 20


class TooSlow(Exception):
    pass


def on_alarm(_signal, _frame):
    raise TooSlow(f"takes longer than {SECONDS_PER_FILE} s")


def trouble(file):
    signal.alarm(SECONDS_PER_FILE)
    try:
        analyze(file)
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    finally:
        signal.alarm(0)
    return None


signal.signal(signal.SIGALRM, on_alarm)
for file in sorted(walk(Path(sys.argv[1]))):
    reason = trouble(file)
    if reason is not None:
        print(json.dumps({"file": str(file), "reason": reason}), flush=True)
