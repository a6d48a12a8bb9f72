/** `auto`: the most that fit the machine. `smt`: one lane a core, on its two hardware threads. */
export const LANE_WORDS = ['auto', 'smt'] as const;
/** Number of cells measured concurrently; a number that does not fit the machine is an error. */
export type LanesWish = (typeof LANE_WORDS)[number] | number;

export const MOST_LANES = 64;
