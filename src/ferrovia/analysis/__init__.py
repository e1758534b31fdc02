"""What a finished game can teach: choices judged, and where the result came from."""
