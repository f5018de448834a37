"""Lets an agent reach some hosts and no others: `python -I -c SCRIPT '["api.example.com", "*.example.org", "host:8080"]'`.

A forward proxy on port 3128 that answers CONNECT and plain http requests. A host is named without a port for 80 and 443;
`*.` stands for everything below a domain. It says `ready` on standard output when it listens, and the hosts that it
refused on standard error. Standard library only.

Names are looked up once, here, and what is connected to is the address that was looked at. A private address is reached
only where it is listed itself, or under a name that is listed whole and that no public server can answer for.
"""

import asyncio
import contextlib
import ipaddress
import json
import re
import socket
import sys
from urllib.parse import urlsplit

PORT = 3128
HEAD_LIMIT = 64 * 1024
HEAD_SECONDS = 30
CONNECT_SECONDS = 30
USUAL_PORTS = (80, 443)
LABEL = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
NAME = re.compile(rf"{LABEL}(\.{LABEL})*")


def split_host(text):
    """`name:port`, `[::1]:port` or `name` as (name, port or None)."""
    parts = urlsplit("//" + text)
    return (parts.hostname or "").rstrip("."), parts.port


def is_host(host):
    """Whether this is a name or an address and nothing else: a NUL in a name ends it for those who look it up."""
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return len(host) <= 253 and NAME.fullmatch(host) is not None


def is_allowed(host, port, allowed):
    for name, only in allowed:
        fits = host.endswith(name[1:]) if name.startswith("*.") else host == name
        if fits and (port in USUAL_PORTS if only is None else port == only):
            return True
    return False


def inner(address):
    """The IPv4 address that an IPv6 one stands for, where it does: mapped, 6to4, NAT64."""
    if address.version == 4:
        return address
    if address in ipaddress.ip_network("64:ff9b::/96"):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def may_connect(host, text, port, allowed):
    """Whether a host that is allowed may be reached at this address."""
    address = inner(ipaddress.ip_address(text.partition("%")[0]))
    if address.is_global and not address.is_multicast:
        return True
    is_local_name = ("." not in host or host.endswith(".internal")) and any(host == name for name, _only in allowed)
    return is_local_name or is_allowed(str(address), port, [pair for pair in allowed if not pair[0].startswith("*.")])


async def look_up(host, port):
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(address[0] for _family, _type, _proto, _name, address in found))


async def connect(addresses, port):
    for number, address in enumerate(addresses, 1):
        try:
            return await asyncio.wait_for(asyncio.open_connection(address, port), CONNECT_SECONDS)
        except (OSError, asyncio.TimeoutError):
            if number == len(addresses):
                raise


async def pump(reader, writer):
    """Copies until the end, and passes the end on."""
    with contextlib.suppress(ConnectionError, OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(ConnectionError, OSError, RuntimeError):
        writer.write_eof()


def plain_request(method, target, lines):
    """A request to the proxy as one to the server itself, for the host that was checked; one request a connection."""
    parts = urlsplit(target)
    host = parts.netloc.rpartition("@")[2]
    path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
    kept = [line for line in lines if not line.lower().startswith(("proxy-", "connection:", "keep-alive:", "host:"))]
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *kept, "Connection: close", "", ""]).encode("latin-1")


async def answer(writer, status, text):
    body = text + "\n"
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
    writer.write((head + body).encode())
    await writer.drain()


async def serve(reader, writer, allowed):
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_SECONDS)).decode("latin-1")
    first, *lines = head.rstrip("\r\n").split("\r\n")
    # What one reader takes for a line and another does not, and a line that goes on, could hide a second Host.
    if any("\n" in line or "\r" in line or line[:1].isspace() for line in [first, *lines]):
        return await answer(writer, "400 Bad Request", "lines end with CR LF, and are whole")
    words = first.split(" ")
    if len(words) != 3:
        return await answer(writer, "400 Bad Request", "a request has three words")
    method, target, _version = words
    tunnel = method == "CONNECT"
    try:
        host, port = split_host(target if tunnel else urlsplit(target).netloc)
    except ValueError:
        host, port = "", None
    if not is_host(host):
        return await answer(writer, "400 Bad Request", "this names no host")
    port = port or (443 if tunnel else 80)
    if not is_allowed(host, port, allowed):
        print(f"refused {host}:{port}", file=sys.stderr, flush=True)
        return await answer(writer, "403 Forbidden", f"{host}:{port} is not among the hosts that this run may reach")
    try:
        addresses = await asyncio.wait_for(look_up(host, port), CONNECT_SECONDS)
        hidden = [address for address in addresses if not may_connect(host, address, port, allowed)]
        if hidden:
            print(f"refused {host}:{port} at {hidden[0]}", file=sys.stderr, flush=True)
            why = f"{host} is the private address {hidden[0]}, which this run may reach only when {hidden[0]}:{port} is listed too"
            return await answer(writer, "403 Forbidden", why)
        there = await connect(addresses, port)
    except (OSError, asyncio.TimeoutError) as error:
        return await answer(writer, "502 Bad Gateway", f"{host}:{port} cannot be reached: {error}")
    if tunnel:
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    else:
        there[1].write(plain_request(method, target, lines))
    try:
        await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))
    finally:
        there[1].close()


async def handle(reader, writer, allowed):
    try:
        with contextlib.suppress(ConnectionError, OSError, ValueError, asyncio.TimeoutError, asyncio.IncompleteReadError):
            await serve(reader, writer, allowed)
    finally:
        writer.close()


async def main():
    allowed = [split_host(text.strip().lower()) for text in json.loads(sys.argv[1])]
    server = await asyncio.start_server(lambda r, w: handle(r, w, allowed), "0.0.0.0", PORT, limit=HEAD_LIMIT)
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
