"""A network namespace in which every address of the internet is this machine.

Every connection, wherever it was meant to go, reaches a listener here, which can tell the address it
was meant for. Needs `unshare` of util-linux; no rights where user namespaces are allowed.
"""
import ctypes
import fcntl
import os
import pathlib
import socket
import struct
import sys
import tempfile

ENTERED = "GDN_TEST_NAMESPACE"
IFF_UP = 1
SIOCGIFFLAGS, SIOCSIFFLAGS = 0x8913, 0x8914
RTM_NEWROUTE, NLM_F_REQUEST, NLM_F_ACK, NLM_F_CREATE = 24, 1, 4, 0x400
RT_TABLE_LOCAL, RTPROT_STATIC, RTN_LOCAL, RTA_OIF = 255, 4, 2, 4
SCOPE_HOST, SCOPE_UNIVERSE = 254, 0
MS_BIND = 4096
SO_ATTACH_FILTER = 26


def enter():
    """Starts the program again inside new namespaces; what is then left is to set them up."""
    if ENTERED in os.environ:
        return
    os.environ[ENTERED] = "yes"
    as_user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    os.execvp("unshare", ["unshare", *as_user, "--mount", "--net", sys.executable, *sys.argv])


def own_every_address():
    """Brings loopback up and makes every IPv4 and IPv6 address a local one."""
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        raise RuntimeError("not in a network namespace of its own")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(control, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))
    _add_local_route(socket.AF_INET, SCOPE_HOST)
    _add_local_route(socket.AF_INET6, SCOPE_UNIVERSE)


def _add_local_route(family, scope):
    """The same as `ip route add local default dev lo`, without the program."""
    route = struct.pack("=BBBBBBBBI", family, 0, 0, 0, RT_TABLE_LOCAL, RTPROT_STATIC, scope, RTN_LOCAL, 0)
    route += struct.pack("=HHI", 8, RTA_OIF, socket.if_nametoindex("lo"))
    flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as netlink:
        netlink.send(struct.pack("=IHHII", 16 + len(route), RTM_NEWROUTE, flags, 1, 0) + route)
        error = struct.unpack_from("=i", netlink.recv(4096), 16)[0]
    if error:
        raise OSError(-error, f"cannot add a route: {os.strerror(-error)}")


def cover(path, text):
    """Puts `text` in the place of a file of the system, in this namespace only."""
    if not os.path.exists(path):
        open(path, "a").close()  # a bare root may have none
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    libc = ctypes.CDLL(None, use_errno=True)
    failed = libc.mount(file.name.encode(), path.encode(), None, MS_BIND, None)
    os.unlink(file.name)
    if failed:
        raise OSError(ctypes.get_errno(), f"cannot cover {path}: {os.strerror(ctypes.get_errno())}")
    if pathlib.Path(path).read_text() != text:
        raise RuntimeError(f"{path} is not covered")


def black_hole(port):
    """A listener that drops every packet before TCP sees it: a host that is silent."""
    class Filter(ctypes.Structure):
        _fields_ = [("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte), ("jf", ctypes.c_ubyte), ("k", ctypes.c_uint)]

    class Program(ctypes.Structure):
        _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.POINTER(Filter))]

    drop = Filter(0x06, 0, 0, 0)  # return 0 bytes of the packet
    listener = socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
    listener.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, bytes(Program(1, ctypes.pointer(drop))))
    return listener
