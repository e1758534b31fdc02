"""What stands around the code: one version, whole locks, files that other programs read."""

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import ferrovia

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


class _Strict(yaml.SafeLoader):
    """Refuses a key that is there twice, as those do who run these files."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"twice in one place: {keys}"
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), _Strict)


# The version


def test_the_version_is_written_down_once() -> None:
    assert PROJECT["project"]["dynamic"] == ["version", "readme", "urls"]
    assert "version" not in PROJECT["project"]
    assert version("ferrovia") == ferrovia.__version__
    assert "version" not in json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
    assert "version" not in read_yaml(ROOT / "CITATION.cff")


def test_the_changelog_begins_with_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", text, re.MULTILINE)[0] == ferrovia.__version__


def test_the_first_page_names_every_extra() -> None:
    table = (ROOT / "docs" / "index.md").read_text("utf-8").partition("| extra |")[2]
    named = re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\|(.+?)\|", table, re.MULTILINE)))
    assert set(PROJECT["project"]["optional-dependencies"]) <= set(named)


# The locks


def locked() -> list[Requirement]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


NOT_LOCKED = ("gpu", "learn", "ray", "gymnasium", "pettingzoo", "openspiel")


def asked_for() -> list[Requirement]:
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    lists = [
        project["dependencies"],
        *(extras[name] for name in extras if name not in NOT_LOCKED),  # see `make lock`
        *PROJECT["dependency-groups"].values(),
    ]
    return [Requirement(text) for one in lists for text in one]


def test_the_lock_has_one_version_of_everything_for_every_python() -> None:
    there = {canonicalize_name(requirement.name) for requirement in locked()}
    assert {canonicalize_name(requirement.name) for requirement in asked_for()} <= there
    for minor in (11, 12, 13, 14, 15):
        python = {"python_version": f"3.{minor}", "python_full_version": f"3.{minor}.9"}
        pins: dict[str, str] = {}
        for requirement in locked():
            if requirement.marker is None or requirement.marker.evaluate(python):
                [pin] = requirement.specifier
                assert pin.operator == "=="
                assert pins.setdefault(requirement.name, pin.version) == pin.version
        for requirement in asked_for():
            if requirement.marker is None or requirement.marker.evaluate(python):
                name = canonicalize_name(requirement.name)
                assert requirement.specifier.contains(pins[name]), requirement


def test_the_lock_of_the_client_is_whole_on_every_system() -> None:
    """`npm ci` refuses a lock without what other systems need. If this fails, make it again."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    for name, package in packages.items():
        for other in package.get("optionalDependencies", {}):
            nested = f"{name}/node_modules/{other}"
            assert f"node_modules/{other}" in packages or nested in packages, other


@pytest.mark.parametrize("lock", ["constraints.txt", "web/package-lock.json"])
def test_locks_name_no_place_to_download_from(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert '"resolved"' not in text
    assert not re.search(r"index-url|find-links|registry|\.whl|\.tgz", text)


# Files for other programs


def test_the_citation_has_what_the_form_asks_for() -> None:
    citation = read_yaml(ROOT / "CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    ours, *_bundled = PROJECT["project"]["license"].split(" AND ")
    assert citation["license"] == ours
    assert citation["title"].startswith("Ferrovia")
    names = [author["name"] for author in PROJECT["project"]["authors"]]
    assert [author["name"] for author in citation["authors"]] == names
    known = {"cff-version", "message", "title", "type", "authors", "license", "keywords"}
    assert set(citation) <= known | {"abstract"}
    assert {"cff-version", "message", "title", "authors"} <= set(citation)


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_have_little_power_and_end(path: Path) -> None:
    workflow = read_yaml(path)
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        writes = (path.name, name) == ("release.yml", "release")  # it holds no code of ours
        assert job.get("permissions", {}).get("contents", "read") == ("write" if writes else "read")
        assert not (writes and any("checkout" in step.get("uses", "") for step in job["steps"]))
        if "uses" in job:  # another workflow of ours
            assert (ROOT / job["uses"]).is_file()
            continue
        assert job["timeout-minutes"] <= 60, name
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            if "uses" in step:  # a tag may be moved
                assert re.search(r"@[0-9a-f]{40}$", step["uses"]), step["uses"]


def test_nothing_is_published_that_was_not_tested_tried_and_built_twice() -> None:
    jobs = read_yaml(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    assert {"test", "kernel", "again", "try"} <= set(jobs["publish"]["needs"])
    assert {"test", "kernel", "try"} <= set(jobs["image"]["needs"])
    assert {"test", "kernel"} <= set(jobs["page"]["needs"])


def test_every_system_and_python_is_tested() -> None:
    jobs = read_yaml(ROOT / ".github" / "workflows" / "test.yml")["jobs"]
    assert jobs["everything"]["steps"][-1] == {"run": "make test"}
    matrix = jobs["package"]["strategy"]["matrix"]
    assert [system.split("-")[0] for system in matrix["system"]] == ["ubuntu", "macos", "windows"]
    named = "Programming Language :: Python :: 3."
    classifiers = [line for line in PROJECT["project"]["classifiers"] if line.startswith(named)]
    assert matrix["python"] == [line.rpartition(" ")[2] for line in classifiers]
    assert PROJECT["project"]["requires-python"] == f">={matrix['python'][0]}"


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.name
)
def test_issue_forms_are_forms(path: Path) -> None:
    form = read_yaml(path)
    if path.name == "config.yml":
        assert set(form) == {"blank_issues_enabled"}
        return
    assert form["name"]
    assert form["description"]
    for field in form["body"]:
        assert field["type"] == "textarea"
        assert field["id"]
        assert field["attributes"]["label"]
