import { enumOf } from '../schema.ts';

/** The built-in generator, and default. */
export const OWN_DRIVER = 'benchgate';

/** These must be installed separately. */
export const OTHER_DRIVERS = ['autocannon', 'wrk', 'k6'] as const;
export type OtherDriver = (typeof OTHER_DRIVERS)[number];

export const DRIVERS = [OWN_DRIVER, ...OTHER_DRIVERS] as const;
export type DriverName = (typeof DRIVERS)[number];
export const DRIVER = enumOf(DRIVERS);
