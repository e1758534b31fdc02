"""Records of the kernel as NumPy shows them, for tests."""

from typing import Any

import numpy as np

from ferrovia.kernel import Buffer, RecordLayout


def fields(memory: Buffer, kind: RecordLayout) -> Any:
    """Return the record in some memory: what is written to it is written there."""
    return np.frombuffer(memory, kind.dtype)[0]
