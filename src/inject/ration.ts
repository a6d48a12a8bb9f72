export interface Ration {
	/** Returns the units of work of a request; call once for each. */
	next(): number;
	/** Whether to time these units with `startTiming`. */
	isTimed(): boolean;
	learn(units: number, microseconds: number): void;
}

export interface RationOptions {
	/** Fraction of a request's own CPU time, averaged over all requests. */
	readonly fraction: number;
	/** One request in this many does all the work. */
	readonly every: number;
	/** Units per timing, which take many times as long as reading the clock. */
	readonly sample: number;
	readonly cpuClock?: () => number;
}

const READ_EVERY = 64;
/** One request in this many does a timed sample; rare, because reading the clock is not free. */
const TIME_EVERY = 256;
/** Microseconds of CPU time per reading. */
const WINDOW = 20_000;
/** Weight of older readings: the ration adapts to a new scenario within five readings. */
const FADING = 0.7;
/** Latest timings for the mean cost of a unit. */
const TIMINGS = { fewest: 10, most: 75 } as const;
/** Caps a timing. An interrupt belongs to the price of work, but another thread's time slice does not. */
const MOST_MEDIANS = 8;

/**
 * Returns a ration that costs `fraction` of a request's own CPU time, learnt at run time: the process's CPU time minus
 * the work's, per request of the latest windows. Both sides also pay 2 % of a request for pricing.
 */
export function createRation({ fraction, every, sample, cpuClock = readCpu }: RationOptions): Ration {
	let windowStart: number | null = null;
	let seen = 0;
	let requests = 0;
	let done = 0;
	const serverWork = { cpu: 0, requests: 0 };
	let perRequest = 0;
	let owed = 0;
	let timed = false;
	const timings: number[] = [];

	const closeWindow = (spent: number): void => {
		const unitCost = timings.length < TIMINGS.fewest ? 0 : cappedMean(timings);
		// Sums, not a mean of costs: a slow stretch has fewer requests and must weigh less.
		serverWork.cpu = FADING * serverWork.cpu + spent - done * unitCost;
		serverWork.requests = FADING * serverWork.requests + requests;
		perRequest = unitCost === 0 ? 0 : Math.max(0, (fraction * serverWork.cpu) / serverWork.requests / unitCost);
		requests = 0;
		done = 0;
	};
	const readClock = (): void => {
		const now = cpuClock();
		if (windowStart === null) {
			// Start-up costs belong to no request.
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

/** Returns a function that ends the timing and returns CPU microseconds, without the time to read the clock. */
export function startTiming(cpuClock = readCpu): () => number {
	// The first reading takes longer than the last, because caches are cold.
	cpuClock();
	const first = cpuClock();
	const second = cpuClock();
	return () => Math.max(0, cpuClock() - second - (second - first));
}

/** Microseconds, of all threads. */
function readCpu(): number {
	const { user, system } = process.cpuUsage();
	return user + system;
}

function cappedMean(values: readonly number[]): number {
	const most = MOST_MEDIANS * (values.toSorted((first, second) => first - second)[values.length >> 1] as number);
	return values.reduce((sum, value) => sum + Math.min(value, most), 0) / values.length;
}
