"""Prints as JSON what lizard 1.24 finds in the files that standard input names, one a line.

For each file: its functions (name, CC, first line, last line), and every token that lizard counts as a condition
(line, text), whether or not it is inside a function.
"""

import json
import sys

import lizard


def conditions(path, code):
    reader = lizard.get_reader_for(path)
    if reader is None:
        return []
    counted = reader(lizard.FileInfoBuilder(path)).conditions
    macros = getattr(reader, "macro_pattern", None)
    found = []
    line = 1
    for token in reader.generate_tokens(code):
        macro = macros.match(token) if macros else None
        if macro and macro.group(1) in ("if", "ifdef", "elif"):
            found.append([line, "#" + macro.group(1)])
        elif token in counted:
            found.append([line, token])
        line += token.count("\n")
    return found


def main():
    for path in sys.stdin.read().splitlines():
        functions = lizard.analyze_file(path).function_list
        print(
            json.dumps(
                {
                    "file": path,
                    "functions": [
                        [f.name, f.cyclomatic_complexity, f.start_line, f.end_line] for f in functions
                    ],
                    "tokens": conditions(path, lizard.auto_read(path)),
                }
            )
        )


main()
