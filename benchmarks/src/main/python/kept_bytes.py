#!/usr/bin/env python3
"""How much of a bare TCP connection is left to whoever keeps what it brings.

A process sends a file of a RAM-disk over loopback by sendfile(2). Its bytes are thrown away, or
written to new files of the RAM-disk, or spliced into them (splice(2), which copies them once in
place of twice). All take turns in one run, since these machines are shared and noisy; the ratios
are to what throws away. Python 3.10 or newer; nothing else.

    kept_bytes.py DIRECTORY [TURNS]
"""

import fcntl
import os
import socket
import statistics
import sys
import tempfile
import time

OUTPUT = 32 << 20  # bytes of a map output, as in ScratchWrites
PIECE = 1 << 20  # bytes that one call moves at most
TURN = 0.5  # seconds


def thrown_away(connection, buffer, pipe, file, left):
    return connection.recv_into(buffer, min(left, PIECE))


def written(connection, buffer, pipe, file, left):
    got = connection.recv_into(buffer, min(left, PIECE))
    os.write(file, memoryview(buffer)[:got])
    return got


def spliced(connection, buffer, pipe, file, left):
    got = os.splice(connection.fileno(), pipe[1], min(left, PIECE))
    moved = 0
    while moved < got:
        moved += os.splice(pipe[0], file, got - moved)
    return got


def send(address, source):
    """Sends outputs until nobody takes them any more."""
    with socket.create_connection(address) as connection, open(source, "rb") as file:
        try:
            while True:
                offset = 0
                while offset < OUTPUT:
                    offset += os.sendfile(connection.fileno(), file.fileno(), offset, OUTPUT - offset)
        except OSError:
            pass


def turn(way, connection, directory, buffer, pipe):
    """MiB/s of whole outputs in one turn."""
    begin = time.monotonic()
    outputs = 0
    while time.monotonic() - begin < TURN:
        with tempfile.TemporaryFile(dir=directory, buffering=0) as file:
            left = OUTPUT
            while left:
                got = way(connection, buffer, pipe, file.fileno(), left)
                if not got:
                    raise EOFError("the sender has gone")
                left -= got
        outputs += 1
    return outputs * (OUTPUT >> 20) / (time.monotonic() - begin)


def main(directory, turns):
    ways = [thrown_away, written, spliced]
    rates = {way: [] for way in ways}
    with tempfile.NamedTemporaryFile(dir=directory) as source:
        source.write(os.urandom(OUTPUT))
        source.flush()
        with socket.create_server(("127.0.0.1", 0)) as server:
            child = os.fork()
            if child == 0:
                send(server.getsockname(), source.name)
                os._exit(0)
            connection, _ = server.accept()
        pipe = os.pipe()
        fcntl.fcntl(pipe[1], fcntl.F_SETPIPE_SZ, PIECE)
        buffer = bytearray(PIECE)
        try:
            for way in ways:  # warms up, and is not counted
                turn(way, connection, directory, buffer, pipe)
            for _ in range(turns):
                for way in ways:
                    rates[way].append(turn(way, connection, directory, buffer, pipe))
        finally:
            connection.close()
            os.waitpid(child, 0)
    print("bytes are     MiB/s, median   of those thrown away")
    for way in ways:
        ratio = statistics.median(a / b for a, b in zip(rates[way], rates[thrown_away]))
        name = way.__name__.replace("_", " ")
        print(f"{name:13} {statistics.median(rates[way]):8.0f}        {ratio:.2f}")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3 or not os.path.isdir(sys.argv[1]):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 15)
