/** How the page of a film is laid out: the map is the page, the panels lie at its side or under it, the controls at its foot. */
import type { Insets } from '../board/zoom/view.ts';

export interface FilmLayout {
  /** Where the panels lie. */
  readonly panels: 'side' | 'foot';
  /** A window with little height or width. */
  readonly small: boolean;
  readonly head: number;
  /** The width of the panels at the side, or their height at the foot. */
  readonly panel: number;
  readonly controls: number;
  /** What of the window is covered, for the map. */
  readonly insets: Insets;
}

const PAD = 4;

/** Return the layout of a window. `shape`: the width of the board's content by its height; `open`: the panels at the foot are open. */
export function filmLayout(width: number, height: number, shape: number, open: boolean): FilmLayout {
  if (width / height >= 1.2 && width >= 600) {
    const small = height < 500;
    const panel = Math.round(Math.max(small ? 250 : 300, Math.min(440, width * 0.27)));
    const [head, controls] = [small ? 44 : 48, small ? 88 : 92];
    return {
      panels: 'side',
      small,
      head,
      panel,
      controls,
      insets: { top: head + PAD, right: panel + PAD, bottom: controls + PAD, left: PAD },
    };
  }
  const small = width < 600;
  const [head, controls] = [small ? 48 : 52, small ? 104 : 96];
  const spare = height - head - controls - (width - 2 * PAD) / shape - 4 * PAD;
  const panel = open ? Math.round(Math.max(height * 0.34, Math.min(spare, height * 0.6))) : 44;
  return {
    panels: 'foot',
    small,
    head,
    panel,
    controls,
    insets: { top: head + PAD, right: PAD, bottom: controls + panel + PAD, left: PAD },
  };
}
