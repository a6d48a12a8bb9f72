/** Turns in which each side's process calls its own program: no socket, no generator. */
import { listTree, readTreeTimes, usedBetween } from '../process/process-tree.ts';
import type { Design, HttpRequest } from '../types/config.ts';
import type { Timing, Turn } from '../types/plan.ts';
import type { Fault, Window, WindowSide } from '../types/round.ts';
import { otherSide, type Seconds, SIDES, type Side, type Sides } from '../types/units.ts';
import { ask, NoAnswer } from './answers/ask.ts';
import { pairUp, singleOrder } from './generator/one-sided-windows.ts';
import type { Pair } from './pair.ts';

/** servers/shared/hosting/in-process.mjs takes load orders at this path. */
const LOAD_PATH = '/.in-process';
const PATIENCE_MS = 10_000;
/** Ten thousand calls of 6 ms each. */
const CALLS_MS = 60_000;

export interface InProcessSetting {
	readonly turn: Turn;
	readonly design: Design;
	readonly timing: Timing;
	readonly request: Sides<HttpRequest>;
	readonly statuses: readonly number[];
	readonly startedAt: number;
	readonly signal: AbortSignal;
}

/** Returns the windows of the design, then solo windows if planned. A side without valid counts becomes a fault. */
export async function runInProcess(
	pair: Pair,
	{ turn, design, timing, request, statuses, startedAt, signal }: InProcessSetting,
): Promise<{ readonly windows: readonly Window[]; readonly faults: readonly Fault[] }> {
	const windows: Window[] = [];
	const loaded = SIDES.filter((side) => side === (turn.only ?? side));
	const warmup = { seconds: timing.firstWarmup.leastSeconds, calls: timing.calls?.warmup };
	const load = async (kind: Window['kind'], sides: readonly Side[], seconds: Seconds): Promise<Window> => {
		signal.throwIfAborted();
		const began = (Date.now() - startedAt) / 1000;
		const amount = { seconds, calls: timing.calls?.counted };
		const windowSides = await Promise.all(sides.map((side) => loadSide(pair, side, request[side], statuses, amount)));
		const of = (side: Side) => windowSides[sides.indexOf(side)] ?? null;
		return { ...UNKNOWN, kind, startedAt: began, base: of('base'), head: of('head') };
	};
	try {
		await Promise.all(loaded.map((side) => loadSide(pair, side, request[side], statuses, warmup)));
		const beside = design === 'duet' ? timing.windows : 0;
		for (let index = 0; index < beside; index++) windows.push(await load('duet', loaded, timing.windowSeconds));
		const single: Window[] = [];
		for (const side of singleOrder(design, turn.windowFirst, timing.windows))
			single.push(await load(design, [side], timing.windowSeconds));
		windows.push(...pairUp(single));
		const alone = turn.soloFirst === undefined ? [] : [turn.soloFirst, otherSide(turn.soloFirst)];
		for (const side of alone.filter((each) => loaded.includes(each)))
			windows.push(await load('solo', [side], timing.soloSeconds));
		return { windows, faults: [] };
	} catch (error) {
		if (!(error instanceof Silent)) throw error;
		return { windows: [], faults: [{ code: 'no-answer', side: error.side, message: error.message }] };
	}
}

const UNKNOWN = { generatorUtilisation: 0, generatorCpuSeconds: 0, otherCpu: null, serverCpuIdle: null } as const;

class Silent extends Error {
	readonly side: Side;
	constructor(side: Side, why: string) {
		super(`${side} did not report what it counted in its process: ${why}`);
		this.side = side;
	}
}

/** If given, `calls` replaces `seconds`. */
interface Asked {
	readonly seconds: Seconds;
	readonly calls: number | undefined;
}

async function loadSide(
	pair: Pair,
	side: Side,
	request: HttpRequest,
	statuses: readonly number[],
	{ seconds, calls }: Asked,
): Promise<WindowSide> {
	const { origin, pid } = pair[side];
	const before = readTreeTimes(listTree(pid));
	const order: HttpRequest = {
		method: 'POST',
		path: LOAD_PATH,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ request, seconds, calls }),
	};
	try {
		const { body } = await ask(origin, order, {
			timeoutMs: (calls === undefined ? seconds * 1000 : CALLS_MS) + PATIENCE_MS,
		});
		const after = readTreeTimes(listTree(pid));
		const counts = readCounts(JSON.parse(body));
		if (counts === null) throw new Silent(side, 'its answer has another form');
		const expected = Object.entries(counts.statuses).filter(([status]) => statuses.includes(Number(status)));
		const right = expected.reduce((sum, [, count]) => sum + count, 0);
		const cpuSeconds = after.size === 0 ? null : usedBetween(before, after);
		return { ...counts, unexpected: counts.completed - right, errors: 0, cpuSeconds };
	} catch (error) {
		if (error instanceof NoAnswer || error instanceof SyntaxError) throw new Silent(side, error.message);
		throw error;
	}
}

type Counts = Pick<WindowSide, 'seconds' | 'completed' | 'bytes' | 'statuses' | 'latency'>;

function readCounts(value: unknown): Counts | null {
	const { seconds, completed, bytes, statuses, latency } = Object(value) as Partial<Counts>;
	const isCount = (count: unknown): count is number =>
		typeof count === 'number' && count >= 0 && Number.isFinite(count);
	if (!isCount(seconds) || !isCount(completed) || !isCount(bytes) || typeof statuses !== 'object' || statuses === null)
		return null;
	if (!Object.values(statuses).every(isCount) || !Array.isArray(latency)) return null;
	const isBin = (bin: unknown) => Array.isArray(bin) && bin.length === 2 && bin.every(isCount);
	return latency.every(isBin) ? { seconds, completed, bytes, statuses, latency } : null;
}
