import type { OtherDriver } from '../../types/ranking/driver.ts';
import { AUTOCANNON } from './autocannon.ts';
import type { DriverProgram } from './driver-program.ts';
import { K6 } from './k6.ts';
import { WRK } from './wrk.ts';

/** How each program of somebody else's is told what to load, and read. */
export const PROGRAMS: Readonly<Record<OtherDriver, DriverProgram>> = {
	autocannon: AUTOCANNON,
	wrk: WRK,
	k6: K6,
};
