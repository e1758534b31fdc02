/** Reactions: what is said without words, as shapes in a square of 24. */
export const REACTIONS = ['bravo', 'oh', 'laugh', 'sad', 'thanks', 'whistle'] as const;
export type Reaction = (typeof REACTIONS)[number];

const FACE = 'M12 3A9 9 0 1 1 11.990 3';

/** Lines of each; they are drawn, not filled. */
export const SHAPES: Readonly<Record<Reaction, string>> = {
  bravo: 'M12 2.500L14.800 8.800L21.500 9.500L16.500 14L18 20.800L12 17.300L6 20.800L7.500 14L2.500 9.500L9.200 8.800Z',
  oh: `${FACE}M9 9V10M15 9V10M12 13.500A2.200 2.200 0 1 1 11.990 13.500`,
  laugh: `${FACE}M8 9.500L10 8.500M16 9.500L14 8.500M7.500 13.500H16.500C15.500 18.500 8.500 18.500 7.500 13.500`,
  sad: `${FACE}M9 9V10M15 9V10M8 17Q12 13.500 16 17`,
  thanks:
    'M12 20.500C2 13.500 3 5.500 8 5C10.500 4.800 12 7.500 12 7.500S13.500 4.800 16 5C21 5.500 22 13.500 12 20.500Z',
  whistle: 'M3 14H13V9H17V14H19V20H5A2 2 0 0 1 3 18ZM15 6C13 5 13 3 15 2M19 7C17.500 6 18 4 20 3.500M6 20V22M16 20V22',
};
