/** The symbol of every colour: nobody has to tell colours apart. Each is centred on (0, 0). */

function star(): string {
  const points = Array.from({ length: 10 }, (_, i) => {
    const r = i % 2 ? 1.9 : 4.4;
    const x = (r * Math.sin((Math.PI * i) / 5)).toFixed(2);
    return `${x} ${(-r * Math.cos((Math.PI * i) / 5)).toFixed(2)}`;
  });
  return `M${points.join('L')}Z`;
}

export const SYMBOLS: Readonly<Record<string, string>> = {
  purple: 'M0-4.2L3.2 0L0 4.2L-3.2 0Z',
  blue: 'M-3 0A3 3 0 1 1 3 0A3 3 0 1 1-3 0Z',
  orange: 'M0-3.6L3.8 3H-3.8Z',
  white: 'M-3.2 0A3.2 3.2 0 1 1 3.2 0A3.2 3.2 0 1 1-3.2 0ZM-1.8 0A1.8 1.8 0 1 0 1.8 0A1.8 1.8 0 1 0-1.8 0Z',
  green: 'M-2.8-2.8H2.8V2.8H-2.8Z',
  yellow: star(),
  black: 'M-3.3-2L-2-3.3L0-1.3L2-3.3L3.3-2L1.3 0L3.3 2L2 3.3L0 1.3L-2 3.3L-3.3 2L-1.3 0Z',
  red: 'M-1.1-3.5H1.1V-1.1H3.5V1.1H1.1V3.5H-1.1V1.1H-3.5V-1.1H-1.1Z',
  locomotive:
    'M-6.5-4H-1.8V-1.4H1.6V-3.8H3.8V-1.4H5.6V2H-6.5ZM-5.2-2.9V-1.1H-3V-2.9ZM-5.6 2.7A1.6 1.6 0 0 0-2.4 2.7ZM1.4 2.7A1.6 1.6 0 0 0 4.6 2.7Z',
};
