/** How much work a request must do to cost a fraction more than it costs by itself. */

export interface Ration {
	/** To be called once for each request: returns the whole units of work it must do. */
	next(): number;
	/** Whether the units just returned must be timed, with `startTiming`. */
	isTimed(): boolean;
	/** Takes note that `units` cost so many microseconds of CPU time. */
	learn(units: number, microseconds: number): void;
}

export interface RationOptions {
	/** CPU time to add, as a fraction of a request's own, on average over all requests. */
	readonly fraction: number;
	/** One request in this many does all the work. */
	readonly every: number;
	/** Units that are worth timing: many times what it costs to read the clock. */
	readonly sample: number;
	readonly cpuClock?: () => number;
}

/** One request in this many reads the CPU clock. */
const READ_EVERY = 64;
/** One request in this many does a sample of work beside its own, all of it timed. Reading the clock is not free: it must be rare. */
const TIME_EVERY = 256;
/** CPU time that makes one reading of the own cost, microseconds. */
const WINDOW = 20_000;
/** Weight that is left of older readings with each new one: the ration follows a change of scenario within about five. */
const FADING = 0.7;
/** Timings a unit's cost is the mean of: the latest, once there are enough to believe them. */
const TIMINGS = { fewest: 10, most: 75 } as const;
/** A timing counts for at most so many medians: an interrupt belongs to the price of work, another thread's turn does not. */
const MOST_MEDIANS = 8;

/**
 * Returns a ration of work that costs `fraction` of the CPU time a request takes by itself, which is learnt from this process
 * while it runs: CPU time of the process less the work's own, over the requests of the latest windows. So the ration follows
 * optimisation by the engine, a change of scenario, and the speed of the machine. Units are priced by the same clock under the
 * same load, as a plain mean: interrupts and a hypervisor that takes the CPU away lengthen both. Samples are no part of the ration,
 * and with fraction 0 they are done and timed as well: what pricing costs, 2 % of a request, both sides of a comparison pay.
 */
export function createRation({ fraction, every, sample, cpuClock = readCpu }: RationOptions): Ration {
	let windowStart: number | null = null;
	let seen = 0;
	let requests = 0;
	let done = 0;
	const own = { cpu: 0, requests: 0 };
	let perRequest = 0;
	let owed = 0;
	let timed = false;
	const timings: number[] = [];

	const closeWindow = (spent: number): void => {
		const unitCost = timings.length < TIMINGS.fewest ? 0 : cappedMean(timings);
		// Sums, not a mean of costs: a slow stretch has fewer requests and must not count for as many as a fast one.
		own.cpu = FADING * own.cpu + spent - done * unitCost;
		own.requests = FADING * own.requests + requests;
		perRequest = unitCost === 0 ? 0 : Math.max(0, (fraction * own.cpu) / own.requests / unitCost);
		requests = 0;
		done = 0;
	};
	const readClock = (): void => {
		const now = cpuClock();
		if (windowStart === null) {
			// What starting up has cost belongs to no request.
			windowStart = now;
			requests = 0;
			done = 0;
		} else if (now - windowStart >= WINDOW) {
			closeWindow(now - windowStart);
			windowStart = now;
		}
	};
	return {
		next() {
			seen++;
			requests++;
			if (seen % READ_EVERY === 0) readClock();
			owed += perRequest;
			timed = seen % TIME_EVERY === 0;
			const due = seen % every === 0 ? Math.floor(owed) : 0;
			const units = timed ? sample + due : due;
			owed -= due;
			done += units;
			return units;
		},
		isTimed: () => timed,
		learn(units, microseconds) {
			timings.push(microseconds / units);
			if (timings.length > TIMINGS.most) timings.shift();
		},
	};
}

/** Starts a timing; returns what ends it and gives its CPU time in microseconds, without that of reading the clock. */
export function startTiming(cpuClock = readCpu): () => number {
	// The first reading finds its code out of the caches and takes longer than the one that ends the timing.
	cpuClock();
	const first = cpuClock();
	const second = cpuClock();
	return () => Math.max(0, cpuClock() - second - (second - first));
}

/** Returns the CPU time of this process with all its threads, microseconds. */
function readCpu(): number {
	const { user, system } = process.cpuUsage();
	return user + system;
}

function cappedMean(values: readonly number[]): number {
	const most = MOST_MEDIANS * (values.toSorted((first, second) => first - second)[values.length >> 1] as number);
	return values.reduce((sum, value) => sum + Math.min(value, most), 0) / values.length;
}
