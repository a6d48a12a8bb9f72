/** What can load servers alone: our own generator, or another program. */
import { enumOf } from '../schema.ts';

/** Our own generator, unless another one is asked for. */
export const OWN_DRIVER = 'benchgate';

/** Programs of others, which are there only where they were installed. */
export const OTHER_DRIVERS = ['autocannon', 'wrk', 'k6'] as const;
export type OtherDriver = (typeof OTHER_DRIVERS)[number];

export const DRIVERS = [OWN_DRIVER, ...OTHER_DRIVERS] as const;
export type DriverName = (typeof DRIVERS)[number];
export const DRIVER = enumOf(DRIVERS);
