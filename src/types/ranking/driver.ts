/** What can load servers alone: our own generator, or a program of others'. */
export const DRIVERS = ['benchgate', 'wrk'] as const;
export type DriverName = (typeof DRIVERS)[number];
/** Our own generator, unless another one is asked for. */
export const OWN_DRIVER: DriverName = 'benchgate';
