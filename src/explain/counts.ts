/** What a request does more often in head than in base. */
import { createHash } from 'node:crypto';
import { readInstalledScript, type Script } from '../impact/canonical.ts';
import { packageOf } from '../impact/exercised.ts';
import { functionsRun } from '../impact/functions-run.ts';
import type { Trees } from '../impact/resolution.ts';
import type { Unit } from '../impact/scopes.ts';
import { type Tree, versionOf } from '../impact/trees.ts';
import { type Amounts, differenceOf, isVarying, rangeOf } from '../stats/repeats.ts';
import type { FunctionRun } from '../types/coverage.ts';
import {
	BYTE_TOLERANCE,
	CALL_TOLERANCE,
	type CodePlace,
	type CountedFunction,
	type CountedPeer,
	type CountedRepeat,
	type CountedWork,
	type Counts,
	PEER_FIGURES,
	type PeerFigure,
	TRIP_TOLERANCE,
	WORK_KINDS,
	type WorkKind,
} from '../types/explain/counts.ts';
import { SIDES, type Side, type Sides } from '../types/units.ts';
import { type Code, countNames, findCaller } from './find-caller.ts';
import { matchFunctions } from './match-functions.ts';

const MOST_FUNCTIONS = 200;
/** Bounds the search for callers in bundles. */
const MOST_SORTED = 2_000;
const LONGEST_NAME = 200;

/** A function of the installed files; of any source when `unit` is null. */
interface Ran {
	readonly path: string;
	readonly name: string;
	readonly script: Script | null;
	readonly unit: Unit | null;
	readonly calls: Amounts;
}

interface Found extends Pick<CountedFunction, 'state' | 'side' | 'base' | 'head' | 'varies'> {
	readonly ran: Ran;
	readonly more: number;
}

/** Returns the difference of all repeats. Exact where all repeats of a side agree. */
export function compareCounts(trees: Trees, repeats: readonly CountedRepeat[]): Counts {
	const found = pathsRun(trees, repeats).flatMap((paths) => compareScript(trees, paths, repeats));
	const culprits = found.flatMap(({ state, ran, head }) => (state !== 'same' && head > 0 ? (codeOf(ran) ?? []) : []));
	const names = countNames(repeats);
	const callerOf = ({ state, more, ran }: Found): CodePlace | null => {
		const code = state === 'same' && more > 0 ? codeOf(ran) : null;
		const caller = code && findCaller(code, culprits, names);
		return caller && placeOf(caller.ran);
	};
	const functions = found
		.toSorted((a, b) => Math.abs(b.more) - Math.abs(a.more) || (a.ran.path < b.ran.path ? -1 : 1))
		.slice(0, MOST_SORTED)
		.map((each) => ({ ...each, caller: callerOf(each) }))
		.toSorted((a, b) => rankOf(a) - rankOf(b));
	return {
		requests: repeats[0]?.base.requests ?? 0,
		repeats: repeats.length,
		functions: functions.slice(0, MOST_FUNCTIONS).map((each) => describe(trees, each)),
		omitted: Math.max(0, found.length - MOST_FUNCTIONS),
		work: WORK_KINDS.flatMap((kind) => compareWork(kind, repeats)),
		peers: comparePeers(repeats),
		unseen: SIDES.flatMap((side) => {
			const all = repeats.flatMap((repeat) => repeat[side].unseen.map((each) => ({ side, ...each })));
			return [...new Map(all.map((each) => [`${each.kind} ${each.detail}`, each])).values()];
		}),
	};
}

/** Causes first: changed code, unchanged code that it calls, other unchanged code. */
function rankOf({ state, more, caller }: Found & { readonly caller: CodePlace | null }): number {
	if (more > 0) return state !== 'same' ? 0 : caller ? 1 : 2;
	return more < 0 ? 4 : 3;
}

function pathsRun({ base, head }: Trees, repeats: readonly CountedRepeat[]): readonly Sides<string | null>[] {
	const run = (side: Side) => new Set(repeats.flatMap((repeat) => repeat[side].scripts.map(({ path }) => path)));
	const [mine, theirs] = [run('base'), run('head')];
	const inBase = (path: string) => base.has(path) || mine.has(path);
	const inHead = (path: string) => head.has(path) || theirs.has(path);
	const moved = Map.groupBy(
		[...mine].filter((path) => !inHead(path)),
		placeInPackage,
	);
	const pairs: Sides<string | null>[] = [];
	for (const path of theirs) {
		const [from] = inBase(path) ? [path] : (moved.get(placeInPackage(path)) ?? []);
		if (from !== undefined) mine.delete(from);
		pairs.push({ base: from ?? null, head: path });
	}
	for (const path of mine) pairs.push({ base: path, head: inHead(path) ? path : null });
	return pairs;
}

function placeInPackage(path: string): string {
	const installed = packageOf(path);
	return installed === null ? path : path.slice(path.lastIndexOf(`node_modules/${installed}/`) + 13);
}

function compareScript(trees: Trees, paths: Sides<string | null>, repeats: readonly CountedRepeat[]): readonly Found[] {
	const runs = { base: runsOf('base', paths.base, repeats), head: runsOf('head', paths.head, repeats) };
	const isSameText =
		paths.base !== null && paths.head !== null && trees.base.get(paths.base) === trees.head.get(paths.head);
	if (isSameText && hasSameCalls(runs)) return [];
	const ran = {
		base: functionsOf(trees.base, paths.base, runs.base),
		head: functionsOf(trees.head, paths.head, runs.head),
	};
	return isNamed(ran.base) || isNamed(ran.head) ? compareNames(ran) : compareUnits(ran);
}

type RunsByRange = ReadonlyMap<string, { readonly run: FunctionRun; readonly calls: number[] }>;
interface ScriptRuns {
	readonly hash: string | null;
	readonly ranges: RunsByRange;
	readonly repeats: number;
}

function runsOf(side: Side, path: string | null, repeats: readonly CountedRepeat[]): ScriptRuns {
	const ranges = new Map<string, { readonly run: FunctionRun; readonly calls: number[] }>();
	let hash: string | null = null;
	for (const [at, { [side]: count }] of repeats.entries()) {
		for (const script of count.scripts) {
			if (script.path !== path) continue;
			hash = script.hash;
			for (const run of script.functions) {
				const [start, end, name, , during] = run;
				const key = `${start} ${end} ${name}`;
				const known = ranges.get(key) ?? { run, calls: repeats.map(() => 0) };
				known.calls[at] = (known.calls[at] ?? 0) + during / count.requests;
				ranges.set(key, known);
			}
		}
	}
	return { hash, ranges, repeats: repeats.length };
}

function hasSameCalls({ base, head }: Sides<ScriptRuns>): boolean {
	const none = base.ranges.size === 0 ? [] : [...base.ranges.values()][0]?.calls.map(() => 0);
	return [...new Set([...base.ranges.keys(), ...head.ranges.keys()])].every((key) => {
		const [mine, theirs] = [base.ranges.get(key)?.calls ?? none ?? [], head.ranges.get(key)?.calls ?? none ?? []];
		return differenceOf(mine, theirs, CALL_TOLERANCE) === 0;
	});
}

interface ScriptFunctions {
	readonly path: string | null;
	/** Null if V8's source is not the installed file, or no JavaScript. */
	readonly script: Script | null;
	readonly units: ReadonlyMap<Unit, Amounts>;
	readonly names: ReadonlyMap<string, Amounts>;
}

function isNamed({ path, script }: ScriptFunctions): boolean {
	return path !== null && script === null;
}

function functionsOf(tree: Tree, path: string | null, { hash, ranges, repeats }: ScriptRuns): ScriptFunctions {
	const text = path === null ? undefined : tree.get(path);
	const isFile = text !== undefined && (hash === null || createHash('sha256').update(text).digest('hex') === hash);
	const script = path !== null && isFile ? readInstalledScript(tree, path) : null;
	const units = new Map<Unit, Amounts>();
	const names = new Map<string, Amounts>();
	if (script === null) {
		for (const { run, calls } of ranges.values()) {
			const name = run[2] === '' ? 'anonymous' : run[2];
			const known = names.get(name);
			names.set(name, known ? known.map((value, at) => value + (calls[at] ?? 0)) : calls);
		}
	} else {
		for (const [unit, list] of byRepeat(script, [...ranges.values()], repeats)) if (unit.parent) units.set(unit, list);
	}
	return { path, script, units, names };
}

function byRepeat(
	script: Script,
	ranges: readonly { readonly run: FunctionRun; readonly calls: readonly number[] }[],
	repeats: number,
): ReadonlyMap<Unit, Amounts> {
	const lists = new Map<Unit, number[]>();
	for (let at = 0; at < repeats; at++) {
		const runs = ranges.map(({ run: [start, end, name], calls }): FunctionRun => [start, end, name, 0, calls[at] ?? 0]);
		for (const [unit, { during }] of functionsRun(script, runs)) {
			const list = lists.get(unit) ?? Array.from({ length: repeats }, () => 0);
			list[at] = during;
			lists.set(unit, list);
		}
	}
	return lists;
}

function compareNames({ base, head }: Sides<ScriptFunctions>): readonly Found[] {
	const [mine, theirs] = [namesOf(base), namesOf(head)];
	return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((name) => {
		const side = theirs.has(name) ? 'head' : 'base';
		const path = (side === 'head' ? head : base).path ?? '';
		const calls = { base: mine.get(name) ?? [], head: theirs.get(name) ?? [] };
		return compareCalls(calls, side, { path, name, script: null, unit: null }, 'same');
	});
}

/** For a source that is the installed file on one side alone. */
function namesOf({ names, units }: ScriptFunctions): ReadonlyMap<string, Amounts> {
	return new Map([...names, ...[...units].map(([unit, calls]) => [unit.name, calls] as const)]);
}

function compareUnits({ base, head }: Sides<ScriptFunctions>): readonly Found[] {
	const matched = base.script && head.script ? matchFunctions(base.script, head.script) : new Map<Unit, Unit>();
	const origin = new Map([...matched].map(([one, other]) => [other, one]));
	const ofHead = [...unitsOf(head.script)].flatMap((unit) => {
		const from = origin.get(unit);
		const calls = { base: (from && base.units.get(from)) ?? [], head: head.units.get(unit) ?? [] };
		const state = !from ? 'new' : base.script?.codeOf(from) === head.script?.codeOf(unit) ? 'same' : 'changed';
		return compareCalls(calls, 'head', { path: head.path ?? '', name: unit.name, script: head.script, unit }, state);
	});
	const gone = [...base.units].flatMap(([unit, calls]) =>
		matched.has(unit)
			? []
			: compareCalls(
					{ base: calls, head: [] },
					'base',
					{ path: base.path ?? '', name: unit.name, script: base.script, unit },
					'gone',
				),
	);
	return [...ofHead, ...gone];
}

function* unitsOf(script: Script | null): Iterable<Unit> {
	for (const unit of script?.units.values() ?? []) if (unit.parent) yield unit;
}

function compareCalls(
	calls: Sides<Amounts>,
	side: Side,
	ran: Omit<Ran, 'calls'>,
	state: CountedFunction['state'],
): readonly Found[] {
	const more = differenceOf(calls.base, calls.head, CALL_TOLERANCE);
	const [base, head] = [rangeOf(calls.base)[0], rangeOf(calls.head)[0]];
	const isChangedAndRan = (state === 'changed' || state === 'new') && head > CALL_TOLERANCE;
	if (more === 0 && !isChangedAndRan) return [];
	const varies = SIDES.some((each) => isVarying(calls[each], CALL_TOLERANCE));
	return [{ state, side, base, head, varies, more, ran: { ...ran, calls: calls[side] } }];
}

function codeOf(ran: Ran): (Code & { readonly ran: Ran }) | null {
	const { script, unit } = ran;
	return script && unit ? { script, unit, ran } : null;
}

function placeOf({ path, name, script, unit }: Ran): CodePlace {
	const cut = (text: string) => text.slice(0, LONGEST_NAME);
	return { path: cut(path), line: script && unit ? script.lineAt(unit.start) : 0, name: cut(name) };
}

function describe(
	trees: Trees,
	{ ran, side, state, base, head, varies, caller }: Found & { readonly caller: CodePlace | null },
): CountedFunction {
	const name = packageOf(ran.path);
	const versions = { base: versionOf(trees.base, ran.path), head: versionOf(trees.head, ran.path) };
	const upgraded = name !== null && versions.base !== versions.head ? { name, ...versions } : null;
	const resumes = ran.unit?.node.async === true;
	const { line, ...place } = placeOf(ran);
	const { script, unit } = ran;
	const lines = script && unit ? { lines: script.lineAt(unit.end) - line + 1 } : {};
	return { ...place, line, ...lines, side, state, base, head, varies, resumes, caller, package: upgraded };
}

/** Of base's calls: code with the same writes differed by 2 to 5 %. */
const SYSTEM_CALL_SHARE = 0.1;

/** Leaves out system calls that no second repeat confirmed, and few more: Node's other threads make some. */
function compareWork(kind: WorkKind, repeats: readonly CountedRepeat[]): readonly CountedWork[] {
	const values = (side: Side) =>
		repeats.flatMap(({ [side]: { work, requests } }) => {
			const amount = work[kind];
			return amount === undefined || requests === 0 ? [] : [amount / requests];
		});
	const [base, head] = [values('base'), values('head')];
	if (base.length === 0 || head.length === 0) return [];
	const isSystemCall = kind === 'reads' || kind === 'writes';
	const leastCalls = isSystemCall ? Math.max(CALL_TOLERANCE, SYSTEM_CALL_SHARE * rangeOf(base)[0]) : CALL_TOLERANCE;
	const tolerance = kind === 'bytes-allocated' ? BYTE_TOLERANCE : leastCalls;
	if (differenceOf(base, head, tolerance) === 0) return [];
	const varies = isVarying(base, tolerance) || isVarying(head, tolerance);
	if (varies && isSystemCall) return [];
	return [{ kind, base: rangeOf(base)[0], head: rangeOf(head)[0], varies }];
}

const BYTES_TOLERANCE_A_REQUEST = 0.25;
const MOST_PEERS = 20;

/** Returns the peers of requests, those with more round trips in head first. */
export function comparePeers(repeats: readonly CountedRepeat[]): readonly CountedPeer[] {
	const counted = repeats.filter(({ base, head }) => base.requests > 0 && head.requests > 0);
	const all = counted.flatMap((repeat) => SIDES.flatMap((side) => repeat[side].peers));
	const names = new Map<string, string | null>();
	for (const { address, name } of all) names.set(address, names.get(address) ?? name);
	return [...names]
		.map(([address, name]) => comparePeer(counted, address, name))
		.filter(({ roundTrips: { base, head } }) => Math.max(base, head) >= TRIP_TOLERANCE)
		.toSorted((a, b) => moreOf(b) - moreOf(a) || (a.address < b.address ? -1 : 1))
		.slice(0, MOST_PEERS);
}

function comparePeer(repeats: readonly CountedRepeat[], address: string, name: string | null): CountedPeer {
	const figure = (kind: PeerFigure) => {
		const amounts = (side: Side) =>
			repeats.map(({ [side]: { peers, requests } }) => {
				const peer = peers.find((each) => each.address === address);
				return (peer?.[kind] ?? 0) / requests;
			});
		const [base, head] = [amounts('base'), amounts('head')];
		const tolerance = kind === 'roundTrips' ? TRIP_TOLERANCE : BYTES_TOLERANCE_A_REQUEST;
		return {
			base: rangeOf(base)[0],
			head: rangeOf(head)[0],
			varies: isVarying(base, tolerance) || isVarying(head, tolerance),
			differs: differenceOf(base, head, tolerance) !== 0,
		};
	};
	const [roundTrips, bytesSent, bytesReceived] = PEER_FIGURES.map(figure) as [Figure, Figure, Figure];
	return { address, name, roundTrips, bytesSent, bytesReceived };
}

type Figure = CountedPeer['roundTrips'];

function moreOf({ roundTrips: { base, head, differs } }: CountedPeer): number {
	return differs ? head - base : 0;
}
