/** Series ⇄ lines of text: a header, then one line for each round. Numbers keep six digits, moments milliseconds; latencies are left out. */
import type { CellRound, Round, Window, WindowSide } from '../src/types/round.ts';
import { SERIES_VERSION, type Series, type SeriesHeader } from './series.ts';

/** A side of a window: seconds, completed, bytes, unexpected, errors, CPU seconds. */
type SideRow = readonly [number, number, number, number, number, number | null];
type WindowRow = readonly [
	kind: Window['kind'],
	startedAt: number,
	utilisation: number,
	generatorCpu: number,
	otherCpu: number | null,
	idle: number | null,
	base: SideRow | null,
	head: SideRow | null,
];
interface CellRow extends Omit<CellRound, 'windows' | 'round' | 'purpose'> {
	readonly windows: readonly WindowRow[];
}
type RoundRow = Omit<Round, 'cells'> & { readonly cells: readonly CellRow[] };

const DIGITS = 6;
/** Of seconds. */
const MOMENT_DECIMALS = 3;

/** Returns the first line of a series file, without its line break. */
export function headerLine(header: SeriesHeader): string {
	const { kind, version, id, experiment, effect, createdAt, environment, versions, plans } = header;
	return JSON.stringify({ kind, version, id, experiment, effect, createdAt, environment, versions, plans });
}

/** Returns the line of one round, without its line break. */
export function roundLine({ round, purpose, startedAt, seconds, loadSeconds, cells }: Round): string {
	const row: RoundRow = {
		round,
		purpose,
		startedAt: moment(startedAt),
		seconds: short(seconds),
		loadSeconds: short(loadSeconds),
		cells: cells.map(({ cell, design, windows, memoryPeak, faults, pinned }) => ({
			cell,
			design,
			memoryPeak,
			faults,
			pinned,
			windows: windows.map(windowRow),
		})),
	};
	return JSON.stringify(row);
}

/**
 * Returns the series in `text`, without an incomplete last line, which an interruption leaves. Throws an Error that
 * names the unreadable line or the unknown version.
 */
export function parseSeries(text: string): Series {
	const lines = text.split('\n');
	const remainder = lines.pop();
	const [first, ...others] = lines;
	if (first === undefined) throw new Error(remainder ? 'line 1 is cut off' : 'the file is empty');
	const header = parseLine(first, 1) as SeriesHeader;
	if (header?.kind !== 'benchgate-series') throw new Error('line 1 is not the header of a series');
	if (header.version !== SERIES_VERSION) {
		throw new Error(`it has version ${header.version}; this program reads version ${SERIES_VERSION}`);
	}
	if (typeof header.id !== 'string' || !Array.isArray(header.plans)) {
		throw new Error('line 1 is not the header of a series');
	}
	return { ...header, rounds: others.map((line, index) => readRound(parseLine(line, index + 2), index + 2)) };
}

function parseLine(line: string, number: number): unknown {
	try {
		return JSON.parse(line);
	} catch {
		throw new Error(`line ${number} is not JSON`);
	}
}

function readRound(value: unknown, number: number): Round {
	const row = value as RoundRow;
	if (typeof row?.round !== 'number' || !Array.isArray(row.cells)) throw new Error(`line ${number} is not a round`);
	try {
		const { round, purpose } = row;
		const cells = row.cells.map((cell) => ({ ...cell, round, purpose, windows: cell.windows.map(readWindow) }));
		return { ...row, cells };
	} catch {
		throw new Error(`line ${number} is not a round`);
	}
}

function windowRow(window: Window): WindowRow {
	const { kind, startedAt, generatorUtilisation, generatorCpuSeconds, otherCpu, serverCpuIdle, base, head } = window;
	const shares = [short(generatorUtilisation), short(generatorCpuSeconds), shortOrNull(otherCpu)] as const;
	return [kind, moment(startedAt), ...shares, shortOrNull(serverCpuIdle), sideRow(base), sideRow(head)];
}

function sideRow(side: WindowSide | null): SideRow | null {
	if (side === null) return null;
	const { seconds, completed, bytes, unexpected, errors, cpuSeconds } = side;
	return [short(seconds), completed, bytes, unexpected, errors, shortOrNull(cpuSeconds)];
}

function readWindow(row: WindowRow): Window {
	const [kind, startedAt, generatorUtilisation, generatorCpuSeconds, otherCpu, serverCpuIdle, base, head] = row;
	const sides = { base: readSide(base), head: readSide(head) };
	return { kind, startedAt, generatorUtilisation, generatorCpuSeconds, otherCpu, serverCpuIdle, ...sides };
}

function readSide(row: SideRow | null): WindowSide | null {
	if (row === null) return null;
	const [seconds, completed, bytes, unexpected, errors, cpuSeconds] = row;
	return { seconds, completed, bytes, unexpected, errors, cpuSeconds, statuses: {}, latency: [] };
}

/** Six digits would lose the gaps between windows if a series continues days later. */
function moment(seconds: number): number {
	return Number(seconds.toFixed(MOMENT_DECIMALS));
}

function short(value: number): number {
	return Number(value.toPrecision(DIGITS));
}

function shortOrNull(value: number | null): number | null {
	return value === null ? null : short(value);
}
