"""Sheets as a PDF, with the optional package reportlab: the few elements of SVG that we write."""

import io
import re
from collections.abc import Mapping
from math import atan2, ceil, cos, pi, sin, sqrt, tan
from typing import TYPE_CHECKING, Any, Final

from ferrovia.errors import MissingExtra
from ferrovia.workshop.print.paper import Drawing, Print

if TYPE_CHECKING:
    from xml.etree import ElementTree

_POINT = 72 / 25.4  # of a PDF, in millimetres
_SKIPPED: Final = frozenset({"title", "defs", "clipPath"})
_INHERITED: Final = (
    "fill",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
)
_CAPS: Final = {"butt": 0, "miter": 0, "round": 1, "square": 2, "bevel": 2}
_STEP = re.compile(r"([AHLMQVZlz])([^AHLMQVZlz]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_CALL = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")


def pdf_of(print_: Print) -> bytes:
    """Return sheets as a PDF; the same sheets give the same bytes.

    Raises `MissingExtra` when reportlab is not installed.
    """
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ImportError as problem:
        raise MissingExtra("print", problem) from None
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1, pageCompression=1)
    canvas.setTitle(print_.title)
    canvas.setCreator("Ferrovia")
    drawings = {one.id: one for one in print_.drawings}
    for one in print_.drawings:
        canvas.beginForm(one.id, 0, 0, one.wide, one.high)
        _Painter(canvas, _parsed(one.body), {}).paint()
        canvas.endForm()
    for sheet in print_.sheets:
        wide, high = sheet.size.wide * _POINT, sheet.size.high * _POINT
        canvas.setPageSize((wide, high))
        canvas.transform(_POINT, 0, 0, -_POINT, 0, high)
        _Painter(canvas, _parsed(sheet.body), drawings).paint()
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _parsed(body: str) -> "ElementTree.Element":
    from xml.etree import ElementTree  # which a page has not, as it has no reportlab

    return ElementTree.fromstring(f"<g>{body}</g>")


class _Painter:
    """Paints the elements of one body, which may use some drawings."""

    def __init__(
        self,
        canvas: Any,
        body: "ElementTree.Element",
        drawings: Mapping[str, Drawing],
    ) -> None:
        self._canvas = canvas
        self._body = body
        self._drawings = drawings
        self._known = {one.attrib["id"]: one for one in body.iter() if "id" in one.attrib}

    def paint(self) -> None:
        """Paint all of it."""
        self._paint(self._body, {})

    def _paint(self, element: "ElementTree.Element", look: dict[str, str]) -> None:
        if element.tag in _SKIPPED:
            return
        of = element.attrib
        look = {**look, **{name: of[name] for name in _INHERITED if name in of}}
        canvas = self._canvas
        canvas.saveState()
        if "transform" in of:
            self._transform(of["transform"])
        if "clip-path" in of:
            self._clip(self._known[of["clip-path"][5:-1]])
        match element.tag:
            case "g":
                for child in element:
                    self._paint(child, look)
            case "use":
                self._use(element, look)
            case _:
                self._shape(element, look)
        canvas.restoreState()

    def _transform(self, text: str) -> None:
        for name, values in _CALL.findall(text):
            numbers = [float(value) for value in _NUMBER.findall(values)]
            if name == "translate":
                self._canvas.translate(numbers[0], numbers[1] if len(numbers) > 1 else 0)
            elif name == "rotate":
                self._canvas.rotate(numbers[0])
            else:
                self._canvas.scale(numbers[0], numbers[-1])

    def _clip(self, element: "ElementTree.Element") -> None:
        path = self._canvas.beginPath()
        for child in element:
            _add_shape(path, child)
        self._canvas.clipPath(path, stroke=0, fill=0)

    def _use(self, element: "ElementTree.Element", look: dict[str, str]) -> None:
        of, canvas = element.attrib, self._canvas
        name = of["href"][1:]
        canvas.translate(float(of.get("x", 0)), float(of.get("y", 0)))
        drawing = self._drawings.get(name)
        if drawing is not None:
            canvas.scale(float(of["width"]) / drawing.wide, float(of["height"]) / drawing.high)
            canvas.doForm(name)
        else:
            self._paint(self._known[name], look)

    def _shape(self, element: "ElementTree.Element", look: dict[str, str]) -> None:
        canvas = self._canvas
        fill, stroke = look.get("fill", "#000000"), look.get("stroke", "none")
        if fill != "none":
            canvas.setFillColor(_color(fill))
        if stroke != "none":
            canvas.setStrokeColor(_color(stroke, float(look.get("stroke-opacity", 1))))
            canvas.setLineWidth(float(look.get("stroke-width", 1)))
            canvas.setLineCap(_CAPS[look.get("stroke-linecap", "butt")])
            canvas.setLineJoin(_CAPS[look.get("stroke-linejoin", "miter")])
            if "stroke-dasharray" in look:
                canvas.setDash([float(part) for part in look["stroke-dasharray"].split()])
        path = canvas.beginPath()
        _add_shape(path, element)
        canvas.drawPath(
            path,
            stroke=int(stroke != "none"),
            fill=int(fill != "none"),
            fillMode=0 if look.get("fill-rule") == "evenodd" else 1,
        )


def _color(text: str, strength: float = 1.0) -> Any:
    """Return a colour; a faint one as a pale one, since reportlab's forms know no transparency."""
    from reportlab.lib.colors import Color

    red, green, blue = (int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return Color(*(1 - strength * (1 - part) for part in (red, green, blue)))


def _add_shape(path: Any, element: "ElementTree.Element") -> None:
    of = element.attrib
    match element.tag:
        case "rect":
            box = [float(of[name]) for name in ("x", "y", "width", "height")]
            radius = min(float(of.get("rx", 0)), box[2] / 2, box[3] / 2)
            path.roundRect(*box, radius) if radius else path.rect(*box)
        case "circle":
            path.circle(float(of["cx"]), float(of["cy"]), float(of["r"]))
        case "path":
            _add_path(path, of["d"])
        case tag:
            raise ValueError(f"no element '{tag}' is printed")


def _add_path(path: Any, data: str) -> None:
    """Add path data of the commands that we write: A, H, L, M, Q, V, Z, l and z."""
    x = y = left = top = 0.0
    for command, values in _STEP.findall(data):
        numbers = [float(value) for value in _NUMBER.findall(values)]
        match command:
            case "Z" | "z":
                path.close()
                x, y = left, top
            case "H" | "V":
                for value in numbers:
                    x, y = (value, y) if command == "H" else (x, value)
                    path.lineTo(x, y)
            case "M":
                left, top = numbers[:2]
                path.moveTo(left, top)
                x, y = left, top
                for at in range(2, len(numbers), 2):
                    x, y = numbers[at : at + 2]
                    path.lineTo(x, y)
            case "L" | "l":
                for at in range(0, len(numbers), 2):
                    u, v = numbers[at : at + 2]
                    x, y = (x + u, y + v) if command == "l" else (u, v)
                    path.lineTo(x, y)
            case "Q":
                for at in range(0, len(numbers), 4):
                    cx, cy, u, v = numbers[at : at + 4]
                    path.curveTo(
                        *(x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3),
                        *(u + (cx - u) * 2 / 3, v + (cy - v) * 2 / 3),
                        *(u, v),
                    )
                    x, y = u, v
            case "A":
                for at in range(0, len(numbers), 7):
                    radius, _, _, large, sweep, u, v = numbers[at : at + 7]
                    _add_arc(path, (x, y), (u, v), radius, large > 0, sweep > 0)
                    x, y = u, v


def _add_arc(
    path: Any,
    start: tuple[float, float],
    end: tuple[float, float],
    radius: float,
    large: bool,
    sweep: bool,
) -> None:
    """Add an arc of a circle as curves of at most a quarter each."""
    (x, y), (u, v) = start, end
    half = ((u - x) ** 2 + (v - y) ** 2) ** 0.5 / 2
    away = sqrt(max(0.0, radius**2 - half**2)) * (1 if large == sweep else -1)
    middle = (x + u) / 2, (y + v) / 2
    cx = middle[0] + away * (v - y) / (2 * half or 1)
    cy = middle[1] - away * (u - x) / (2 * half or 1)
    begin, finish = atan2(y - cy, x - cx), atan2(v - cy, u - cx)
    turn = (finish - begin) % (2 * pi) if sweep else -((begin - finish) % (2 * pi))
    if abs(turn) < 1e-9:
        turn = 2 * pi if sweep else -2 * pi
    steps = ceil(abs(turn) / (pi / 2) - 1e-9)
    step = turn / steps
    reach = 4 / 3 * tan(step / 4) * radius
    for number in range(steps):
        a, b = begin + number * step, begin + (number + 1) * step
        path.curveTo(
            *(cx + radius * cos(a) - reach * sin(a), cy + radius * sin(a) + reach * cos(a)),
            *(cx + radius * cos(b) + reach * sin(b), cy + radius * sin(b) - reach * cos(b)),
            *(cx + radius * cos(b), cy + radius * sin(b)),
        )
