/** `auto`: as many as the machine has room for. `smt`: one a core, on its two hardware threads. */
export const LANE_WORDS = ['auto', 'smt'] as const;
/** How many cells are measured at the same time; a number is refused where there is no room for that many. */
export type LanesWish = (typeof LANE_WORDS)[number] | number;

/** Most lanes that can be asked for. */
export const MOST_LANES = 64;
