/**
 * `npm run eval:impact-correct -- [--servers A,B] [--scenarios A,B] [--minutes N]`: whether `unaffected` is ever wrong. In
 * every cell of the built-in servers on Node, base is covered; then every function that it did not run ends the process
 * in head, which must be unaffected, is loaded, and must answer equally many requests with the same calls and bytes.
 * Changes of functions that run, and the hostile heads, must affect the cell. Base gets a short load, after which more
 * functions are called "not run" than after a round's; the round decides only if one of them runs. Cells in the output
 * file are not measured again.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answeredBy, isOfRankings } from '../../src/config/answered-scenarios.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { compareCounts } from '../../src/explain/counts.ts';
import { findImpact } from '../../src/impact/find-impact.ts';
import { withSecondRun } from '../../src/impact/second-run.ts';
import { hashOfText } from '../../src/impact/texts-read.ts';
import type { Tree } from '../../src/impact/trees.ts';
import { readInstalledTree } from '../../src/prepare/installed-tree.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { createRandom } from '../../src/stats/random.ts';
import { isVarying } from '../../src/stats/repeats.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import {
	BYTE_TOLERANCE,
	CALL_TOLERANCE,
	type CountedRepeat,
	type Counts,
	type SideCount,
} from '../../src/types/explain/counts.ts';
import { SIDES, type Sides } from '../../src/types/units.ts';
import { applyEdits, beginWith, type CoveredScript, scriptsOf } from './covered-scripts.ts';
import { HOSTILE_HEADS } from './hostile-heads.ts';
import { type CopiedServers, withServers } from './with-servers.ts';

const FILE = new URL('../../docs/evaluation/data/impact-cells.jsonl', import.meta.url);
/** Not JavaScript, or not on the Node at hand, or packages that some registries lack. */
const OUTSIDE =
	/^(?:bun|uws|go|python|ergo|vext-.*|pikku-(?:bun|uws).*|pikku-.*-(?:middleware|plugin|server|handler))$/;
/** Names the function, and ends the process. */
const tripwire = (file: string, place: string) =>
	`(globalThis.process.getBuiltinModule("fs").writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(place)}), globalThis.process.kill(globalThis.process.pid, "SIGKILL"))`;
const PLANTED = 4;
const STATEMENTS = ['globalThis.held', '(() => {})()', 'performance.now()'];
const HOSTILE = 3;
const MOST_REPEATS = 3;
/** Load and times of one do not matter to another. */
const AT_ONCE = 2;

export interface CheckedCell {
	readonly cell: string;
	readonly requests: number;
	/** Functions that did not run, made to end the process. */
	readonly tripwires: number;
	/** Functions that did not run, and yet affect the cell. */
	readonly affecting: number;
	/** The function that ran, or how head failed; null if it did not fail. */
	readonly touched: string | null;
	/** Whether two runs had the same calls. */
	readonly steady: boolean;
	/** Functions of head with other calls. */
	readonly differing: readonly string[];
	/** Allocated a request, by run; null if unknown. */
	readonly bytes: Sides<readonly number[]> | null;
	readonly planted: { readonly tried: number; readonly missed: readonly string[] };
	readonly hostile: { readonly tried: readonly string[]; readonly missed: readonly string[] };
}

/** Base's run of a cell. */
interface BaseCell {
	readonly id: string;
	readonly scenario: string;
	readonly coverage: CellCoverage;
	readonly scripts: readonly CoveredScript[];
}

interface Armed extends Pick<CheckedCell, 'tripwires' | 'affecting'> {
	readonly head: Tree;
}

interface LoadedHead extends Armed, Pick<CheckedCell, 'touched'> {
	readonly repeats: readonly CountedRepeat[];
}

const { values } = parseArgs({
	options: { servers: { type: 'string' }, scenarios: { type: 'string' }, minutes: { type: 'string', default: '600' } },
});
const until = performance.now() + Number(values.minutes) * 60_000;
const known = readCells().map(({ cell }) => cell);
const all = await loadCatalogue(TOOL_ROOT);
const servers = all.servers.filter(({ name }) => !OUTSIDE.test(name) && isNamed(values.servers, name));
const loaded = all.scenarios.filter(
	(each) => !isOfRankings(each) && !each.metrics && isNamed(values.scenarios, each.name),
);

const waiting = servers.values();
await Promise.all(Array.from({ length: AT_ONCE }, checkServers));
summarise();

async function checkServers(): Promise<void> {
	for (const { name, without } of waiting) {
		if (performance.now() > until) break;
		const spec = { kind: 'built-in', name, ...(without && { without }) } as const;
		const left = answeredBy(spec, loaded).filter((each) => !known.includes(`${name}/${each.name}`));
		if (left.length === 0) continue;
		const scenarios = left.map((each) => each.name);
		await withServers([name], scenarios, (copied) => checkServer(name, scenarios, copied));
	}
}

/** Prints the figures of docs/evaluation/impact.md. */
function summarise(): void {
	const cells = readCells();
	const sum = (count: (cell: CheckedCell) => number) =>
		cells.reduce((total, cell) => total + count(cell), 0).toLocaleString('en');
	const steady = cells.filter((cell) => cell.steady && cell.touched === null && cell.tripwires > 0);
	const wrong = steady.filter(({ differing }) => differing.length > 0);
	const weighed = steady.flatMap(({ cell, bytes }) => (bytes ? { cell, bytes } : []));
	const unequal = weighed.filter(({ bytes }) => !hasEqualBytes(bytes));
	const heavier = unequal.filter(({ bytes }) => SIDES.every((side) => !isVarying(bytes[side], BYTE_TOLERANCE)));
	const kinds = new Set(cells.flatMap(({ hostile }) => hostile.tried));
	const lines = [
		`${cells.length} cells of ${new Set(cells.map(({ cell }) => cell.split('/')[0])).size} servers`,
		`${sum(({ touched }) => (touched === null ? 0 : 1))} of ${sum(({ tripwires }) => tripwires)} tripwires touched`,
		`${wrong.length} of ${steady.length} steady cells with other calls: ${wrong.map(({ cell }) => cell).join(', ')}`,
		`${weighed.length - unequal.length} of ${weighed.length} cells allocate equal bytes, ${heavier.length} others: ${heavier.map(({ cell }) => cell).join(', ')}; the rest varies`,
		`${sum(({ planted }) => planted.missed.length)} of ${sum(({ planted }) => planted.tried)} planted changes missed`,
		`${sum(({ hostile }) => hostile.missed.length)} of ${sum(({ hostile }) => hostile.tried.length)} hostile heads of ${kinds.size} kinds missed`,
	];
	console.log(lines.join('\n'));
}

function readCells(): readonly CheckedCell[] {
	if (!existsSync(FILE)) return [];
	return readFileSync(FILE, 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as CheckedCell);
}

function isNamed(list: string | undefined, name: string): boolean {
	return list === undefined || list.split(',').includes(name);
}

async function checkServer(
	name: string,
	scenarios: readonly string[],
	{ servers, heads, folder, cover, count }: CopiedServers,
): Promise<void> {
	const [server, copy] = [servers.get(name), heads.get(name)];
	if (!server || !copy) return console.error(`${name} is not installed`);
	const [root, headRoot] = [server.root ?? server.cwd, copy.root ?? copy.cwd];
	const base = await readInstalledTree(root);
	const tripped = join(folder, 'tripped');
	const loadHead = async (cell: BaseCell): Promise<LoadedHead> => {
		const armed = armTripwires(base, cell, tripped);
		const changed = [...armed.head].filter(([path, text]) => base.get(path) !== text);
		for (const [path, text] of changed) writeFileSync(join(headRoot, path), text);
		const repeats: CountedRepeat[] = [];
		let touched = touchedBy(await cover(name, cell.scenario, 'glance', 'head'), tripped);
		while (touched === null && repeats.length < MOST_REPEATS && !isSame(base, armed.head, repeats)) {
			const repeat = await count(name, cell.scenario);
			repeats.push(repeat);
			touched = touchedBy(repeat.head, tripped);
		}
		for (const [path] of changed) writeFileSync(join(headRoot, path), base.get(path) ?? '');
		return { ...armed, repeats, touched };
	};
	for (const scenario of scenarios) {
		if (performance.now() > until) return;
		const id = `${name}/${scenario}`;
		const seen = (coverage: CellCoverage) => ({ id, scenario, coverage, scripts: scriptsOf(coverage, base) });
		let cell = seen(await cover(name, scenario, 'glance'));
		let loaded = await loadHead(cell);
		if (loaded.touched !== null) {
			cell = seen(withSecondRun(await cover(name, scenario, 'round'), cell.coverage));
			loaded = await loadHead(cell);
		}
		const { head, tripwires, affecting, repeats, touched } = loaded;
		const planted = plantChanges(base, cell);
		const hostile = tryHostile(base, cell);
		const steady = cell.coverage.unseen.length === 0 && isSteady(base, repeats);
		const differing = touched === null ? differences(compareCounts({ base, head }, repeats)) : [];
		const bytes = bytesOf(repeats);
		const { requests } = cell.coverage;
		const checked = { cell: id, requests, tripwires, affecting, touched, steady, differing, bytes, planted, hostile };
		appendFileSync(FILE, `${JSON.stringify(checked satisfies CheckedCell)}\n`);
		console.log(
			`${id}: ${tripwires} tripwires, ${touched ?? 'none touched'}; ${steady ? 'steady' : 'varies'}, ${differing.length} differ; missed: ${planted.missed.length} of ${planted.tried} planted, ${hostile.missed.join(', ') || 'no'} hostile`,
		);
	}
}

/** Returns why head failed. Servers may run a tripwire when they end. */
function touchedBy({ unseen }: Pick<SideCount, 'unseen'>, tripped: string): string | null {
	const failure = unseen.find(({ kind }) => kind === 'failed' || kind === 'process');
	const place = existsSync(tripped) ? readFileSync(tripped, 'utf8') : null;
	rmSync(tripped, { force: true });
	return failure ? (place ?? failure.detail) : null;
}

/** A second repeat then shows only how steady the cell is. */
function isSame(base: Tree, head: Tree, repeats: readonly CountedRepeat[]): boolean {
	if (repeats.length === 0) return false;
	const bytes = bytesOf(repeats);
	if (bytes !== null && !hasEqualBytes(bytes)) return false;
	return compareCounts({ base, head }, repeats).functions.length === 0;
}

/** The least of all repeats: timers only add. */
function hasEqualBytes({ base, head }: Sides<readonly number[]>): boolean {
	return Math.abs(Math.min(...base) - Math.min(...head)) <= BYTE_TOLERANCE;
}

/** Whether two runs had the same calls: of base, or of both sides. */
function isSteady(base: Tree, repeats: readonly CountedRepeat[]): boolean {
	const [one, other] = repeats;
	if (repeats.some((repeat) => repeat.base.requests === 0)) return false;
	if (!one || !other) return one !== undefined;
	return compareCounts({ base, head: base }, [{ base: one.base, head: other.base }]).functions.length === 0;
}

/** Leaves out those that affect the cell without being run, such as functions whose text base reads. */
function armTripwires(base: Tree, { coverage, scripts }: BaseCell, tripped: string): Armed {
	// Paths of several processes stand there several times.
	const byPath = Map.groupBy(scripts, ({ path }) => path);
	const single = [...byPath.values()].flatMap((same) => (same.length === 1 ? same : []));
	const read = new Set(coverage.texts);
	const unread = single.map((each) => {
		return { ...each, idle: each.idle.filter((unit) => !read.has(hashOfText(each.script.text, unit))) };
	});
	let affecting = idleIn(single) - idleIn(unread);
	for (let armed = unread; ; ) {
		const head = new Map(base);
		for (const { path, script, idle } of armed)
			head.set(
				path,
				applyEdits(
					script.text,
					idle.flatMap((unit) => beginWith(unit, tripwire(tripped, `${path} ${unit.name}`))),
				),
			);
		const { cells, changes } = findImpact({ base, head, cells: new Map([['cell', coverage]]) });
		const reason = cells.get('cell') ?? null;
		const tripwires = idleIn(armed);
		if (reason === null || armed.length === 0) return { head, tripwires, affecting };
		const bad = new Set(changes.flatMap((change) => (change.cells.length > 0 ? [change.path] : [])));
		if (reason.kind === 'data') bad.add(reason.path);
		const kept = armed.filter(({ path }) => !bad.has(path));
		if (kept.length === armed.length) return { head: base, tripwires: 0, affecting: affecting + tripwires };
		affecting += tripwires - idleIn(kept);
		armed = kept;
	}
}

function idleIn(scripts: readonly CoveredScript[]): number {
	return scripts.reduce((sum, { idle }) => sum + idle.length, 0);
}

function differences({ functions }: Counts): readonly string[] {
	return functions.flatMap(({ path, line, name, base, head, varies }) =>
		varies || Math.abs(base - head) <= CALL_TOLERANCE
			? []
			: [`${path}:${line} ${name}: ${base.toFixed(3)}, ${head.toFixed(3)}`],
	);
}

function bytesOf(repeats: readonly CountedRepeat[]): CheckedCell['bytes'] {
	const [base, head] = SIDES.map((side) =>
		repeats.flatMap(({ [side]: { work, requests } }) => {
			const bytes = work['bytes-allocated'];
			return bytes === undefined || requests === 0 ? [] : [Math.round(bytes / requests)];
		}),
	);
	return base?.length === repeats.length && head?.length === repeats.length ? { base, head } : null;
}

function plantChanges(base: Tree, { id, coverage, scripts }: BaseCell): CheckedCell['planted'] {
	const random = createRandom(seedOf(id));
	const places = scripts.flatMap((script) => script.hot.map((unit) => ({ script, unit })));
	const missed: string[] = [];
	const tried = Math.min(PLANTED, places.length);
	for (let change = 0; change < tried; change += 1) {
		const place = places[Math.floor(random.next() * places.length)];
		if (place === undefined) continue;
		const { path, script } = place.script;
		const statement = STATEMENTS[change % STATEMENTS.length] ?? '';
		const head = new Map(base).set(path, applyEdits(script.text, beginWith(place.unit, statement)));
		if (isUnaffected(base, head, coverage)) missed.push(`${path} ${place.unit.name}`);
	}
	return { tried, missed };
}

function tryHostile(base: Tree, { id, coverage, scripts }: BaseCell): CheckedCell['hostile'] {
	const random = createRandom(seedOf(id) + 1);
	const names = Object.keys(HOSTILE_HEADS);
	const start = Math.floor(random.next() * names.length);
	const [tried, missed]: [string[], string[]] = [[], []];
	for (let at = 0; at < names.length && tried.length < HOSTILE; at += 1) {
		const name = names[(start + at) % names.length] ?? '';
		const head = HOSTILE_HEADS[name]?.({ base, coverage, scripts, random: () => random.next() });
		if (!head) continue;
		tried.push(name);
		const [path] = [...new Set([...base.keys(), ...head.keys()])].filter((each) => base.get(each) !== head.get(each));
		if (isUnaffected(base, head, coverage)) missed.push(`${name}: ${path}`);
	}
	return { tried, missed };
}

function isUnaffected(base: Tree, head: Tree, coverage: CellCoverage): boolean {
	return findImpact({ base, head, cells: new Map([['cell', coverage]]) }).cells.get('cell') === null;
}

function seedOf(text: string): number {
	let seed = 36;
	for (const letter of text) seed = (seed * 31 + letter.charCodeAt(0)) % 2 ** 31;
	return seed;
}
