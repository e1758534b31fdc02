/** Sheets of paper, printed by the browser or kept as files of SVG. */
import type { BoardPrint } from '../protocol.gen.ts';

const svgOf = ({ symbols }: BoardPrint, { wide, high, svg }: NonNullable<BoardPrint['sheets']>[number]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}mm" height="${high}mm" viewBox="0 0 ${wide} ${high}">${symbols}${svg}</svg>`;

/** Return every sheet as a document of SVG. */
export const sheetFiles = (print: BoardPrint): string[] => (print.sheets ?? []).map((sheet) => svgOf(print, sheet));

/** Show the sheets instead of the page while the browser prints, each on a page of its own size. */
export function printSheets(print: BoardPrint): void {
  const sheets = print.sheets ?? [];
  const [first] = sheets;
  if (!first) return;
  const rules = new CSSStyleSheet();
  rules.replaceSync(`
    @page { size: ${first.wide}mm ${first.high}mm; margin: 0; }
    @media screen { .paper { display: none; } }
    @media print {
      body > :not(.paper) { display: none !important; }
      .paper svg { display: block; break-after: page; print-color-adjust: exact; }
    }`);
  const paper = document.createElement('div');
  paper.className = 'paper';
  // Drawings are parsed as SVG, where nothing of HTML is; scripts in it are none of ours and never run.
  const parser = new DOMParser();
  for (const file of sheetFiles(print))
    paper.append(document.importNode(parser.parseFromString(file, 'image/svg+xml').documentElement, true));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
  document.body.append(paper);
  const done = () => {
    paper.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== rules);
  };
  addEventListener('afterprint', done, { once: true });
  globalThis.print();
}
