/**
 * Portraits, as enamel badges have them: shapes in one ink on a plate, in a square of 48. Faces belong to the bots' levels,
 * and people may choose them too; a person without one has the first letter of their name.
 */

export interface PortraitShape {
  /** Filled with the ink. */
  readonly ink: string;
  /** Cut out of it: filled with the colour of the plate. */
  readonly cut?: string;
  /** Lines in the ink, and lines in the colour of the plate. */
  readonly lines?: string;
  readonly scratched?: string;
}

const SHOULDERS = 'M7 48C7 38 14 35.500 24 35.500S41 38 41 48Z';
const HEAD = 'M24 14A10.500 11.500 0 1 1 23.990 14Z';
const EYES = 'M20 24.500A1.400 1.400 0 1 1 19.990 24.500ZM28 24.500A1.400 1.400 0 1 1 27.990 24.500Z';

const FACES = {
  cloche: {
    ink: `${SHOULDERS}${HEAD}M11 21C9 5 39 5 37 21L40 24H8Z`,
    cut: `${EYES}M10.800 17.500H37.200V20.500H10.800Z`,
    scratched: 'M20 30.500Q24 33.500 28 30.500',
  },
  cap: {
    ink: `${SHOULDERS}${HEAD}M11 12L15 6H33L37 12L35 19H13ZM12 18H36L39 22H9Z`,
    cut: `${EYES}M24 9.500A2.600 2.600 0 1 1 23.990 9.500ZM12 19H36V20.200H12Z`,
    scratched: 'M17 31Q20.500 27.500 24 30.500Q27.500 27.500 31 31',
  },
  beard: {
    ink: `${SHOULDERS}M12 15C12 6 36 5 37 14L40 18L11 19ZM13 18H35V27C36 46 12 46 13 27Z`,
    cut: `${EYES}M20 31.500H28C27.500 34.500 20.500 34.500 20 31.500Z`,
  },
  goggles: {
    ink: `${SHOULDERS}${HEAD}M12 20C10 6 38 6 36 20Z`,
    cut: 'M18.500 17A5 5 0 1 1 18.490 17ZM29.500 17A5 5 0 1 1 29.490 17ZM11 20.500H13.500V23.500H11ZM34.500 20.500H37V23.500H34.500Z',
    lines: 'M17 21L20 23.500M28 21L31 23.500',
    scratched: 'M20 31.500H28',
  },
  bun: {
    ink: `${SHOULDERS}${HEAD}M24 3A5.500 5.500 0 1 1 23.990 3ZM12 27C9 8 39 8 36 27C35 18 30 16 24 17C18 16 13 18 12 27Z`,
    cut: `${EYES}M20 41.500A1.300 1.300 0 1 1 19.990 41.500ZM24 42.500A1.300 1.300 0 1 1 23.990 42.500ZM28 41.500A1.300 1.300 0 1 1 27.990 41.500Z`,
    scratched: 'M28 22.300A3.600 3.600 0 1 1 27.990 22.300M31.500 27L33 33M20.500 31.500Q24 33 27.500 31.500',
  },
} satisfies Record<string, PortraitShape>;

const THINGS = {
  engine: {
    ink: 'M20.500 5H27.500L26.500 13H21.500ZM24 12A12 12 0 1 1 23.990 12ZM9 36H39V41H9ZM12 42H18V45H12ZM30 42H36V45H30Z',
    cut: 'M24 20A4.500 4.500 0 1 1 23.990 20Z',
    scratched: 'M24 14.500A9.500 9.500 0 1 1 23.990 14.500',
  },
  lantern: {
    ink: 'M18 12H30L33 17H15ZM16 18H32L34 38H14ZM13 39H35V43H13Z',
    cut: 'M19 21H29L30 35H18Z',
    lines: 'M17 12C17 4 31 4 31 12M24 33C20 30 22 27 24 23C26 27 28 30 24 33Z',
  },
  signal: {
    ink: 'M14 6H18V44H14ZM10 42H22V45H10ZM18 20L38 8L41 13L19 26Z',
    cut: 'M33.500 13.500L35.500 12.300L38 16.500L36 17.600Z',
    lines: 'M24 34A4 4 0 1 1 23.990 34',
  },
  compass: {
    ink: 'M34 14L27 27L14 34L21 21Z',
    cut: 'M24 22A2 2 0 1 1 23.990 22Z',
    lines: 'M24 6A18 18 0 1 1 23.990 6M24 6V10M24 38V42M6 24H10M38 24H42',
  },
  suitcase: {
    ink: 'M10 17H38A3 3 0 0 1 41 20V38A3 3 0 0 1 38 41H10A3 3 0 0 1 7 38V20A3 3 0 0 1 10 17Z',
    cut: 'M14 17H17V41H14ZM31 17H34V41H31ZM22 26H26V30H22Z',
    lines: 'M18 17V12A3 3 0 0 1 21 9H27A3 3 0 0 1 30 12V17',
  },
  umbrella: {
    ink: 'M5 25C5 3 43 3 43 25C40 21 36 21 33.500 25C31 21 27 21 24 25C21 21 17 21 14.500 25C12 21 8 21 5 25Z',
    lines: 'M24 6V3M24 24V40C24 45 31 45 31 40',
  },
  viaduct: {
    ink: 'M4 14H44V42H4Z',
    cut: 'M8 42V27A6 6 0 0 1 20 27V42ZM28 42V27A6 6 0 0 1 40 27V42ZM4 17H44V18.800H4Z',
    lines: 'M12 14V9M24 14V9M36 14V9',
  },
  mountain: {
    ink: 'M3 41L19 11L28 27L33 19L45 41Z',
    cut: 'M19 11L23.600 19.200L20.500 18L18.500 21L16.500 18.500L14.800 18.900ZM19 41V36A5 5 0 0 1 29 36V41Z',
  },
  watch: {
    ink: 'M24 12A16 16 0 1 1 23.990 12ZM21 6H27V12H21Z',
    cut: 'M24 16A12 12 0 1 1 23.990 16Z',
    lines: 'M24 19V28L30 32M24 6A3 3 0 1 1 24.010 6',
  },
  anchor: {
    ink: 'M22 14H26V40H22ZM15 18H33V22H15Z',
    lines: 'M24 5A4.500 4.500 0 1 1 23.990 5M8 29C9 38 16 42 24 42S39 38 40 29M5 32L8 28L12 31M36 31L40 28L43 32',
  },
} satisfies Record<string, PortraitShape>;

export const PORTRAITS: Readonly<Record<string, PortraitShape>> = { ...THINGS, ...FACES };

/** The portrait of each level of bots. */
export const OF_BOTS: Readonly<Record<string, keyof typeof FACES>> = {
  passenger: 'cloche',
  conductor: 'cap',
  stoker: 'beard',
  driver: 'goggles',
  director: 'bun',
};
