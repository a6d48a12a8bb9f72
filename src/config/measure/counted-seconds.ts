import type { Seconds } from '../../types/units.ts';

/** How long each server of a ranking is measured in a round, unless somebody asks for another length or a page has its own. */
export const COUNTED_SECONDS: Seconds = 2;
