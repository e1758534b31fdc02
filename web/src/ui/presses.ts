/**
 * A press does what was under the finger when it came down, and nothing that has appeared since: neither the click that follows
 * a tap, nor the second tap of a double tap, reaches what the first has opened.
 */
const THING = 'button, a, label, input, select, textarea, summary, [role], dialog';
const DOUBLE = { milliseconds: 300, pixels: 30 };

const thingOf = (event: Event): Element | null => (event.target as Element | null)?.closest?.(THING) ?? null;

/** Watch all presses on a page, before anything else sees them; returns a function that ends it. */
export function guardPresses(page: EventTarget): () => void {
  /** What the press that is under way came down on; undefined where a click comes from no pointer. */
  let pressed: Element | null | undefined;
  let last = { at: -Infinity, x: 0, y: 0, thing: null as Element | null };

  function down(event: Event): void {
    const { timeStamp, clientX, clientY, pointerType, isPrimary } = event as PointerEvent;
    if (!isPrimary) return;
    pressed = thingOf(event);
    if (pointerType === 'mouse') return;
    const again =
      timeStamp - last.at < DOUBLE.milliseconds && Math.hypot(clientX - last.x, clientY - last.y) < DOUBLE.pixels;
    if (again && pressed !== last.thing) {
      pressed = last.thing;
      event.stopImmediatePropagation();
    } else last = { at: timeStamp, x: clientX, y: clientY, thing: pressed };
  }

  function click(event: Event): void {
    const on = pressed;
    pressed = undefined;
    if (on === undefined || (event as MouseEvent).detail === 0 || thingOf(event) === on) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  page.addEventListener('pointerdown', down, true);
  page.addEventListener('click', click, true);
  return () => {
    page.removeEventListener('pointerdown', down, true);
    page.removeEventListener('click', click, true);
  };
}
