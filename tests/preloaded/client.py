"""Stands for Python: asks the fork server beside it for a process, and is as that one is.

Where Python would start otherwise (with other options, or an environment that says how it compiles
or what it imports), Python itself runs.
"""

import json
import os
import signal
import socket
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
DECISIVE = ("NUMBA_", "PYTHON", "FERROVIA_CACHE", "LD_")
# The first names us, the others are taken over by a fork.
HARMLESS = ("PYTHON", "PYTHONPATH", "PYTHONUNBUFFERED")


def decisive(environment):
    decides = (name for name in environment if name.startswith(DECISIVE))
    return {name: environment[name] for name in decides if name not in HARMLESS}


def main():
    with open(os.path.join(FOLDER, "environment")) as file:
        python, environment = json.load(file)
    words = [word for word in sys.argv[1:] if word not in ("-B", "-u")]
    plain = words and (words[0] in ("-m", "-c") or not words[0].startswith("-"))
    connection = socket.socket(socket.AF_UNIX)
    try:
        if not plain or decisive(environment) != decisive(os.environ):
            raise OSError
        connection.connect(os.path.join(FOLDER, "orders"))
    except OSError:
        os.execv(python, [python, *sys.argv[1:]])
    files = sorted(int(name) for name in os.listdir("/proc/self/fd"))
    files = [file for file in files if file != connection.fileno() and is_open(file)]
    order = {
        "arguments": sys.argv[1:],
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "files": files,
    }
    packed = json.dumps(order).encode()
    socket.send_fds(connection, [len(packed).to_bytes(4, "big")], files)
    connection.sendall(packed)
    answers = connection.makefile()
    process = int(answers.readline())
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
        signal.signal(number, lambda number, frame: os.kill(process, number))
    for file in files:
        os.close(file)
    status = int(answers.readline() or 1)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL) if -status != signal.SIGKILL else None
        os.kill(os.getpid(), -status)
    os._exit(status)


def is_open(file):
    try:
        os.fstat(file)
    except OSError:
        return False
    return True


main()
