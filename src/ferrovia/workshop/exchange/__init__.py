"""Boards of other programs and forms: tables (CSV), the map editor's JSON, GeoJSON."""
