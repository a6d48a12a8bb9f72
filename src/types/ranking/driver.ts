/** What can load servers alone: our own generator, or a program of others'. */
export const DRIVERS = ['benchgate', 'wrk', 'k6'] as const;
export type DriverName = (typeof DRIVERS)[number];
/** Our own generator, unless another one is asked for. */
export const OWN_DRIVER = 'benchgate' satisfies DriverName;

/** Those that are somebody else's, and there only where they were installed. */
export type OtherDriver = Exclude<DriverName, typeof OWN_DRIVER>;
