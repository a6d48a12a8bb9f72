/**
 * `npm run eval:impact-correct -- [--servers A,B] [--scenarios A,B] [--minutes N]`: whether `unaffected` is ever wrong. In
 * every cell of the built-in servers on Node, base is covered; then every function that it did not run ends the process
 * in head, which must be unaffected, is loaded, and must answer equally many requests with the same calls and bytes.
 * Changes of functions that run, and the hostile heads, must affect the cell. Cells in the output file are not measured
 * again.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answeredBy, isOfRankings } from '../../src/config/answered-scenarios.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { compareCounts } from '../../src/explain/counts.ts';
import { findImpact } from '../../src/impact/find-impact.ts';
import type { Tree } from '../../src/impact/trees.ts';
import { readInstalledTree } from '../../src/prepare/installed-tree.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { createRandom } from '../../src/stats/random.ts';
import { differenceOf, isVarying } from '../../src/stats/repeats.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import { BYTE_TOLERANCE, CALL_TOLERANCE, type CountedRepeat, type Counts } from '../../src/types/explain/counts.ts';
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

export interface CheckedCell {
	readonly cell: string;
	readonly requests: number;
	/** Functions that did not run, made to end the process. */
	readonly tripwires: number;
	/** Functions that did not run, and yet affect the cell. */
	readonly affecting: number;
	/** The function that ran, or how head failed; null if it did not. */
	readonly touched: string | null;
	/** Whether two runs of base had the same calls. */
	readonly steady: boolean;
	/** Functions of head with other calls. */
	readonly differing: readonly string[];
	/** Allocated a request, by run; null if unknown. */
	readonly bytes: Sides<readonly number[]> | null;
	readonly planted: { readonly tried: number; readonly missed: readonly string[] };
	readonly hostile: { readonly tried: readonly string[]; readonly missed: readonly string[] };
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

for (const { name, without } of servers) {
	if (performance.now() > until) break;
	const spec = { kind: 'built-in', name, ...(without && { without }) } as const;
	const left = answeredBy(spec, loaded).filter((each) => !known.includes(`${name}/${each.name}`));
	if (left.length === 0) continue;
	const scenarios = left.map((each) => each.name);
	await withServers([name], scenarios, (copied) => checkServer(name, scenarios, copied));
}
summarise();

/** Prints the figures of docs/evaluation/impact.md. */
function summarise(): void {
	const cells = readCells();
	const sum = (count: (cell: CheckedCell) => number) =>
		cells.reduce((total, cell) => total + count(cell), 0).toLocaleString('en');
	const steady = cells.filter((cell) => cell.steady && cell.touched === null && cell.tripwires > 0);
	const wrong = steady.filter(({ differing }) => differing.length > 0);
	const weighed = steady.filter(({ bytes }) => bytes && SIDES.every((side) => !isVarying(bytes[side], BYTE_TOLERANCE)));
	const heavier = weighed.filter(({ bytes }) => bytes && differenceOf(bytes.base, bytes.head, BYTE_TOLERANCE) !== 0);
	const kinds = new Set(cells.flatMap(({ hostile }) => hostile.tried));
	const lines = [
		`${cells.length} cells of ${new Set(cells.map(({ cell }) => cell.split('/')[0])).size} servers`,
		`${sum(({ touched }) => (touched === null ? 0 : 1))} of ${sum(({ tripwires }) => tripwires)} tripwires touched`,
		`${wrong.length} of ${steady.length} steady cells with other calls: ${wrong.map(({ cell }) => cell).join(', ')}`,
		`${heavier.length} of ${weighed.length} cells with steady bytes allocate others: ${heavier.map(({ cell }) => cell).join(', ')}`,
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
	for (const scenario of scenarios) {
		if (performance.now() > until) return;
		const cell = `${name}/${scenario}`;
		const tripped = join(folder, 'tripped');
		rmSync(tripped, { force: true });
		const coverage = await cover(name, scenario, 'round');
		const scripts = scriptsOf(coverage, base);
		const armed = armTripwires(base, coverage, scripts, tripped);
		const changed = [...armed.head].filter(([path, text]) => base.get(path) !== text);
		for (const [path, text] of changed) writeFileSync(join(headRoot, path), text);
		const { unseen } = await cover(name, scenario, 'glance', 'head');
		const [one, other] = [await count(name, scenario), await count(name, scenario)];
		for (const [path] of changed) writeFileSync(join(headRoot, path), base.get(path) ?? '');
		const failure = [...unseen, ...one.head.unseen, ...other.head.unseen].find(
			({ kind }) => kind === 'failed' || kind === 'process',
		);
		const varying = compareCounts({ base, head: base }, [{ base: one.base, head: other.base }]);
		const checked: CheckedCell = {
			...{ cell, requests: coverage.requests, tripwires: armed.tripwires, affecting: armed.affecting },
			touched: existsSync(tripped) ? readFileSync(tripped, 'utf8') : (failure?.detail ?? null),
			steady: coverage.unseen.length === 0 && varying.functions.length === 0,
			differing: failure ? [] : differences(compareCounts({ base, head: armed.head }, [one, other])),
			bytes: bytesOf([one, other]),
			planted: plantChanges(base, coverage, scripts, cell),
			hostile: tryHostile(base, coverage, scripts, cell),
		};
		appendFileSync(FILE, `${JSON.stringify(checked)}\n`);
		const { planted, hostile } = checked;
		console.log(
			`${cell}: ${checked.tripwires} tripwires, ${checked.touched ?? 'none touched'}; ${checked.steady ? 'steady' : 'varies'}, ${checked.differing.length} differ; missed: ${planted.missed.length} of ${planted.tried} planted, ${hostile.missed.join(', ') || 'no'} hostile`,
		);
	}
}

/** Leaves out those that affect the cell without being run, such as functions whose text base reads. */
function armTripwires(
	base: Tree,
	coverage: CellCoverage,
	scripts: readonly CoveredScript[],
	tripped: string,
): { readonly head: Tree; readonly tripwires: number; readonly affecting: number } {
	// Paths of several processes stand there several times.
	const byPath = Map.groupBy(scripts, ({ path }) => path);
	const single = [...byPath.values()].flatMap((same) => (same.length === 1 ? same : []));
	let affecting = 0;
	for (let armed = single; ; ) {
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
		const tripwires = armed.reduce((sum, { idle }) => sum + idle.length, 0);
		if (reason === null || armed.length === 0) return { head, tripwires, affecting };
		const bad = new Set(changes.flatMap((change) => (change.cells.length > 0 ? [change.path] : [])));
		if (reason.kind === 'data') bad.add(reason.path);
		const kept = armed.filter(({ path }) => !bad.has(path));
		if (kept.length === armed.length) return { head: base, tripwires: 0, affecting: affecting + tripwires };
		affecting += tripwires - kept.reduce((sum, { idle }) => sum + idle.length, 0);
		armed = kept;
	}
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

function plantChanges(
	base: Tree,
	coverage: CellCoverage,
	scripts: readonly CoveredScript[],
	cell: string,
): CheckedCell['planted'] {
	const random = createRandom(seedOf(cell));
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

function tryHostile(
	base: Tree,
	coverage: CellCoverage,
	scripts: readonly CoveredScript[],
	cell: string,
): CheckedCell['hostile'] {
	const random = createRandom(seedOf(cell) + 1);
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
