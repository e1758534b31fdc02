// The pictures of the built-in boards, laid out by ferrovia.drawing, into public/boards.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const own = here('../../.venv/bin/python');
const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3');
const program = `
import pathlib, sys
from ferrovia.boards import edition, editions
from ferrovia.drawing.picture import picture_json
for board in {board.id: board for board in (edition(name).board for name in editions())}.values():
    pathlib.Path(sys.argv[1], f"{board.id}.json").write_text(picture_json(board))
`;
const target = here('../public/boards');
mkdirSync(target, { recursive: true });
execFileSync(python, ['-c', program, target], {
  env: { ...process.env, PYTHONPATH: here('../../src') },
  stdio: 'inherit',
});
