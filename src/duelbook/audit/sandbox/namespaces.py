"""Linux namespaces: run work without other processes, network or writable files."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

CLONE_NEWNS, CLONE_NEWIPC = 0x00020000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 1 << 12, 1 << 14, 1 << 18
SYS_MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE = 442, -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID = 1, 2
PR_SET_PDEATHSIG = 1

NOBODY = 65534
"""The user and the group inside the namespaces; they are not root and have no privileges."""
UNAVAILABLE = 77
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
HIDDEN = ("/tmp", "/var/tmp", "/run")  # noqa: S108 # they hold files and sockets of others
MAX_FILES = 10_000


def run(work: Callable[[], None], folder: Path, size: int) -> bool:
    """Run work as the first process of new namespaces, and wait; return False if unavailable.

    The work may write to the folder and to the usual temporary folders, `size` MiB in total. Its
    files and its child processes end with it.
    """
    if sys.platform != "linux":
        return False
    outer = os.fork()  # if this fails, the caller is still outside
    if not outer:
        os._exit(_outer(work, folder, size))
    _, status = os.waitpid(outer, 0)
    return os.waitstatus_to_exitcode(status) != UNAVAILABLE


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends."""
    _call("prctl", PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def _outer(work: Callable[[], None], folder: Path, size: int) -> int:
    user, group = os.getuid(), os.getgid()
    try:
        die_with_parent()
        _call("unshare", CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWNET)
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{NOBODY} {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{NOBODY} {group} 1", encoding="ascii")
    except OSError:
        return UNAVAILABLE
    first = os.fork()  # only a child is in the new PID namespace
    if not first:
        try:
            die_with_parent()
            _arrange_files(folder, size)
        except OSError:
            os._exit(UNAVAILABLE)
        work()
        os._exit(0)  # the first process ends, and the kernel ends all others
    _, status = os.waitpid(first, 0)
    return os.waitstatus_to_exitcode(status)


def _arrange_files(folder: Path, size: int) -> None:
    """Make all files read-only, and give the folder and the temporary folders new contents."""
    _mount(None, "/", None, MS_REC | MS_PRIVATE)
    attributes = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0, 0, 0)
    _call("syscall", SYS_MOUNT_SETATTR, AT_FDCWD, b"/", AT_RECURSIVE, attributes, 32)
    _mount("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    descriptors = {place: os.open(place, os.O_PATH) for place in [*DEVICES, *_needed()]}
    _mount("tmpfs", "/dev", "tmpfs", MS_NOSUID, f"size={size}m,nr_inodes={MAX_FILES},mode=755")
    Path("/dev/shm").mkdir(mode=0o700)  # noqa: S108 # our own, in the new /dev
    for number, hidden in enumerate(place for place in HIDDEN if Path(place).is_dir()):
        _put(Path(f"/dev/hidden-{number}"), hidden)
    for place, descriptor in descriptors.items():
        _restore(Path(place), descriptor)
    folder.mkdir(parents=True, exist_ok=True)
    _put(Path("/dev/folder"), str(folder))


def _needed() -> list[str]:
    """Return the folders that Python needs inside the hidden folders, outermost first."""
    package = str(Path(__file__).parents[3])
    places = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, package, *sys.path) if p}
    places |= {str(Path(p).absolute()) for p in (sys.prefix, *sys.path) if p}
    inside = tuple(f"{hidden}/" for hidden in HIDDEN)
    return sorted(p for p in places if f"{p}/".startswith(inside) and Path(p).exists())


def _put(new: Path, place: str) -> None:
    """Create a private folder, and show it at a place."""
    new.mkdir(mode=0o700)
    _mount(str(new), place, None, MS_BIND)


def _restore(place: Path, descriptor: int) -> None:
    """Mount a file or folder again; its descriptor was opened before its parent was hidden."""
    if Path(f"/proc/self/fd/{descriptor}").is_dir():
        place.mkdir(parents=True, exist_ok=True)
    elif not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    _mount(f"/proc/self/fd/{descriptor}", str(place), None, MS_BIND | MS_REC)
    os.close(descriptor)


def _mount(
    source: str | None, target: str, kind: str | None, flags: int, options: str | None = None
) -> None:
    texts = (None if text is None else os.fsencode(text) for text in (source, target, kind))
    _call("mount", *texts, ctypes.c_ulong(flags), None if options is None else options.encode())


def _call(name: str, *arguments: object) -> None:
    """Call a function of the C library, and raise its error."""
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
