/** What a ranking measures, and how: all that two runs must share to be put together. */
import type { Load } from '../config.ts';
import type { MetricName } from '../metric.ts';
import type { Timing } from '../plan.ts';
import type { DriverName } from './driver.ts';

/** A scenario as it was measured. */
export interface MeasuredScenario {
	readonly name: string;
	readonly description: string;
	/** `GET /ping`. */
	readonly request: string;
	readonly load: Load;
	/** What it measures instead of load in windows: its rows are ranked by the first; absent for most. */
	readonly metrics?: readonly MetricName[];
	/** So many worker processes of each server, loaded with nothing beside them; absent for one process. */
	readonly workers?: number;
	/** The server that the others were measured with: the one asked for, where it answers the scenario; null for none. */
	readonly reference: string | null;
	/** Servers that were asked; all of the run when absent. */
	readonly servers?: readonly string[];
	/** Arguments that have autocannon send the same: `-m POST -b '{}'`; absent where one request does not say it all, and in older logs. */
	readonly byHand?: string;
	/** Asked in the server's own process, without a socket; absent for what is loaded through connections, and in older logs. */
	readonly inProcess?: true;
}

/** Everything that two runs must share to be one: what `--out` goes on with, and `--merge` puts together. */
export interface MeasureSetup {
	readonly reference: string;
	readonly scenarios: readonly MeasuredScenario[];
	readonly timing: Timing;
	/** Name of the preset whose load it was; null for none. */
	readonly preset: string | null;
	/** What loaded the servers; benchgate when absent. */
	readonly driver?: DriverName;
	/** How a server and its reference were loaded; at the same time when absent, as in older logs, or each alone with a preset. */
	readonly design?: 'alternating';
	/** Every row had processes of its own, with the routes of its scenario; a server's rows shared them when absent. */
	readonly processes?: 'own';
	/** A server finished its work before the other one was loaded, and was charged for it; it went on unseen when absent, as in older logs. */
	readonly afterwork?: 'counted';
	/** Servers reported garbage collection and event loop, which costs them something. */
	readonly vitals?: 'node';
}
