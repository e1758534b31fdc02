/** The title and the icon of the page: from another tab they show whose turn it is. */

const icon = (fill: string, arm: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="${fill}"/><path d="M8 5h3v23H8z" fill="#fff"/><path d="M9 8h18v7H9z" fill="#fff" ${arm}/></svg>`,
  )}`;

const RAISED = icon('#cf3a10', 'transform="rotate(-40 9 11)"');
const LOWERED = icon('#26405f', '');

export function showTitle(mine: boolean, text: string): void {
  const title = `${mine ? '● ' : ''}${text} · Ferrovia`;
  if (document.title !== title) document.title = title;
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const href = mine ? RAISED : LOWERED;
  if (link && link.href !== href) link.href = href; // a browser decodes it anew each time it is set
}
