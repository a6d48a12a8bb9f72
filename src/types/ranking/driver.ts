/** What can load servers alone: our own generator, or a program of others'. */
export const DRIVERS = ['benchgate', 'wrk'] as const;
export type DriverName = (typeof DRIVERS)[number];
