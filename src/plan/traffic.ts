/** The order of a mix's requests, and the rows that fill them. */
import { createRandom } from '../stats/random.ts';
import { placeholdersOf } from '../text/placeholders.ts';
import { type DataRow, type LoadedRequest, requestsOf, type Scenario } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { Traffic } from '../types/plan.ts';
import type { Warning } from '../types/units.ts';
import { hashName } from './plan-round.ts';

/** Separates the order of rows from the flips of rounds. */
const TRAFFIC_STREAM = 3;
/** Most places of a lap. A fast server needs some seconds for them. */
const MOST_PLACES = 100_000;
/** Most characters of a lap's filled requests, because the generator holds one lap per side. */
const MOST_CHARACTERS = 32_000_000;

interface Lap {
	readonly cycle: readonly number[];
	readonly cycles: number;
	readonly rows: number;
}

/**
 * Returns the load order of a scenario, a pure function of scenario and seed; undefined without a mix. A lap repeats
 * one `weightedOrder`; all rows are used before any repeats. If a lap cannot hold all rows, it uses the first ones.
 *
 * @throws UserError if one cycle exceeds a lap.
 */
export function planTraffic(scenario: Scenario, seed: number): Traffic | undefined {
	if (scenario.mix === undefined) return undefined;
	const rows = scenario.data?.rows ?? [];
	const loaded = requestsOf(scenario);
	const { cycle, cycles, rows: used } = planLap(scenario);
	const order = createRandom(seed, hashName(scenario.name), TRAFFIC_STREAM).shuffle(rows.map((_, index) => index));
	const isFilled = loaded.map(takesValues);
	const requests: number[] = [];
	const places: number[] = [];
	let drawn = 0;
	for (let turn = 0; turn < cycles; turn++) {
		for (const request of cycle) {
			requests.push(request);
			places.push(isFilled[request] && used > 0 ? drawn++ % used : -1);
		}
	}
	return { requests, rows: places, data: order.slice(0, used).map((index) => rows[index] as DataRow) };
}

export function planTraffics(scenarios: readonly Scenario[], seed: number): ReadonlyMap<string, Traffic> {
	const orders = scenarios.map((scenario) => [scenario.name, planTraffic(scenario, seed)] as const);
	return new Map(orders.filter((order): order is readonly [string, Traffic] => order[1] !== undefined));
}

export function trafficWarnings(scenarios: readonly Scenario[]): Warning[] {
	return scenarios.flatMap((scenario) => {
		const { data, mix } = scenario;
		if (mix === undefined || data === undefined) return [];
		const { rows } = planLap(scenario);
		if (rows >= data.rows.length) return [];
		const message = `${scenario.name} uses ${rows} of the ${data.rows.length} rows of ${data.file}, drawn by the seed and the same on both sides`;
		return [{ code: 'data-cut', message }];
	});
}

/**
 * Returns one cycle of request indices in proportion to `weights` (integers from 1), spread evenly: smooth weighted
 * round robin, as in nginx's upstream module.
 */
export function weightedOrder(weights: readonly number[]): number[] {
	const divisor = weights.reduce(greatestDivisor, 0);
	const shares = weights.map((weight) => weight / divisor);
	const total = shares.reduce((sum, share) => sum + share, 0);
	const credits = shares.map(() => 0);
	return Array.from({ length: total }, () => {
		let next = 0;
		for (const [index, share] of shares.entries()) {
			credits[index] = (credits[index] ?? 0) + share;
			if ((credits[index] ?? 0) > (credits[next] ?? 0)) next = index;
		}
		credits[next] = (credits[next] ?? 0) - total;
		return next;
	});
}

function planLap(scenario: Scenario): Lap {
	const loaded = requestsOf(scenario);
	const rows = scenario.data?.rows ?? [];
	const cycle = weightedOrder(loaded.map(({ weight }) => weight));
	const filled = cycle.filter((request) => takesValues(loaded[request] as LoadedRequest));
	if (filled.length === 0 || rows.length === 0) return { cycle, cycles: 1, rows: 0 };
	const mean = rows.reduce((sum, row) => sum + charactersOf(row), 0) / rows.length;
	const characters = filled.reduce((sum, request) => sum + sizeOf(loaded[request] as LoadedRequest) + mean, 0);
	const most = Math.floor(Math.min(MOST_PLACES / cycle.length, MOST_CHARACTERS / characters));
	if (most < 1) throw tooLarge(scenario);
	const whole = rows.length / greatestDivisor(rows.length, filled.length);
	// Uses all rows equally often, or else each at most once.
	if (whole <= most) return { cycle, cycles: whole, rows: rows.length };
	const cycles = Math.max(1, Math.min(most, Math.floor(rows.length / filled.length)));
	return { cycle, cycles, rows: Math.min(rows.length, cycles * filled.length) };
}

function takesValues({ request }: LoadedRequest): boolean {
	return placeholdersOf(request).length > 0;
}

function sizeOf({ request: { path, headers, body = '' } }: LoadedRequest): number {
	return (
		path.length +
		body.length +
		Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
	);
}

function charactersOf(row: DataRow): number {
	return Object.values(row).reduce<number>((sum, value) => sum + String(value).length, 0);
}

function greatestDivisor(one: number, other: number): number {
	return other === 0 ? one : greatestDivisor(other, one % other);
}

function tooLarge({ name }: Scenario): UserError {
	return new UserError({
		code: 'bad-config',
		message: `the requests of the scenario ${name} are too large to be prepared`,
		remedy:
			'use smaller bodies or smaller weights: with each request as often as its weight requires, a mix may have 100,000 requests and 32 MB',
	});
}
