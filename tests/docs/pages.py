"""The pages of the documentation: their code blocks, their commands, and the files they tell of."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, *languages: str) -> list[str]:
    """The code blocks of a page in these languages."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```(?:{'|'.join(languages)})\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    """The text of a page without its code blocks."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


class Command(NamedTuple):
    """A line to type, and what the page shows of its output; None if it shows nothing."""

    line: str
    shown: str | None = None


def commands(page: Path) -> list[Command]:
    """The commands of a page in their order: lines of `sh`, and of `console` behind a dollar."""
    text = page.read_text(encoding="utf-8")
    found: list[Command] = []
    for language, block in re.findall(
        r"^```(sh|console)\n(.*?)^```", text, re.DOTALL | re.MULTILINE
    ):
        if language == "sh":
            block = re.sub(r"\\\n\s*", "", block)
            lines = (re.sub(r"\s+# .*$", "", line).strip() for line in block.splitlines())
            found += [Command(line) for line in lines if line and not line.startswith("#")]
            continue
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            found.append(Command(line.strip(), shown))
    return found


def class_of(page: Path, name: str) -> str:
    """The class of that name from the examples of a page, with what it needs imported."""
    [block] = [block for block in blocks(page, "pycon") if f">>> class {name}" in block]
    lines = [line[4:] for line in block.splitlines() if line[:3] in (">>>", "...")]
    end = next((n for n, line in enumerate(lines) if line.startswith("long_routes =")), len(lines))
    return "\n".join(lines[:end]) + "\n"


def files_of_the_pages() -> dict[str, str]:
    """The files that pages tell people to write, by name: other pages speak of them."""
    portugal = blocks(DOCS / "boards.md", "json")[0]
    [program] = [text for text in blocks(DOCS / "programs.md", "python") if "sys.stdin" in text]
    [settings] = [
        text for text in blocks(DOCS / "running-a-server.md", "toml") if "backups" in text
    ]
    own_bot = class_of(DOCS / "bots.md", "LongRoutes")
    return {
        "portugal.json": portugal,
        "portugal-2.json": portugal.replace('"trains": 9', '"trains": 12'),
        "my-board.json": portugal,
        "server.toml": settings.replace("/var/backups/ferrovia", "backups"),
        "my_bots.py": own_bot + "\n\nMine = LongRoutes\n",
        "my_statistics.py": class_of(DOCS / "simulation.md", "LongRoutes"),
        "my_bot.py": program,
        "club_bot.py": program,
        "my_bot.mjs": blocks(DOCS / "programs.md", "js")[0],
    }
