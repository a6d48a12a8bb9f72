/** Runs a hostile pull request through the committed action under act, with assertions common to all. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gateOf } from '../../src/judge/gate.ts';
import { gateRowOf } from '../../src/judge/gate-row.ts';
import { renderMarkdown } from '../../src/report/compare/comparison-document.ts';
import type { IsolationLevel } from '../../src/types/isolation.ts';
import type { Result } from '../../src/types/result.ts';
import { RED_KINDS } from '../../src/types/verdict.ts';
import { copyAction, stubThirdParties } from '../support/act/actions.ts';
import { unzip } from '../support/act/artifact.ts';
import { NUMBER, pullRequestEvent, REPOSITORY } from '../support/act/events.ts';
import { type ActRun, type RunningAct, startAct } from '../support/act/run-act.ts';
import { makeRoot, type Scope } from '../support/act/scratch.ts';
import { shownWorkflow } from '../support/act/workflows.ts';
import { outputsOf } from '../support/act/world.ts';
import { startDouble } from '../support/github/double.ts';
import type { Double } from '../support/github/types.ts';
import { type MemoryGroup, makeMemoryGroup } from '../support/memory-group.ts';
import { asRoot, whyNoPortGuard } from '../support/ordinary-user.ts';
import { type Attack, type Ending, endingsOf, PORTS, type Seen } from './attack.ts';
import { makeVictim, type Service, type Victim } from './victim.ts';

/** After one round main itself is inconclusive, which its config makes neutral. */
const CHECK: Readonly<Record<Ending, string>> = { red: 'failure', neutral: 'neutral', honest: 'neutral' };

/** Attacks of one run, which has ten minutes, on a crowded machine too. */
const MOST_TOGETHER = 12;

interface Case {
	readonly attack: Attack;
	readonly level: IsolationLevel;
	readonly ending: Ending;
}

interface Options {
	/** Reason to skip all. */
	readonly whyNot?: string | null;
	/** Whether an attack disturbs only its own service: it shares its run with those of the same level and ending. */
	readonly shares?: (one: Case) => boolean;
}

/** Runs every attack at each of its levels, one run after the other. */
export function testAttacks(attacks: readonly Attack[], { whyNot = null, shares = () => false }: Options = {}): void {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-attacks-'));
	after(() => rmSync(folder, { recursive: true, force: true }));
	const cases = attacks.flatMap((attack) =>
		endingsOf(attack).map(([level, ending]): Case => ({ attack, level, ending })),
	);
	const places = new Map<string, number>();
	const runs = Map.groupBy(cases, (one) => {
		if (!isOfOneService(one.attack) || !shares(one)) return one;
		const kind = `${one.level} ${one.ending}`;
		const place = places.get(kind) ?? 0;
		places.set(kind, place + 1);
		return `${kind} ${Math.floor(place / MOST_TOGETHER)}`;
	});
	for (const [first, ...others] of runs.values()) if (first) testRun([first, ...others], folder, whyNot);
}

/** Whether an attack depends on nothing of the whole run, such as the order of rows. */
function isOfOneService({ files, main, from, inputs, measured, memoryLimit, toldPorts, rows = [] }: Attack): boolean {
	if (rows.length > 1) return false;
	const ofRun = [from, inputs, measured, memoryLimit, toldPorts];
	return ofRun.every((option) => option === undefined) && !('benchgate.yml' in { ...files, ...main });
}

function testRun(cases: readonly [Case, ...Case[]], folder: string, whyNot: string | null): void {
	const [{ level, ending }, ...others] = cases;
	const isShared = others.length > 0;
	let shared: Promise<Trial> | null = null;
	for (const [place, { attack }] of cases.entries()) {
		test(`${level}: a pull request that ${attack.does}`, async (t) => {
			const why = whyNot ?? (attack.toldPorts && level === 'users' ? await whyNoPortGuard() : null);
			if (why !== null) return t.skip(why);
			const group = attack.memoryLimit === undefined ? null : makeMemoryGroup(attack.memoryLimit);
			if (typeof group === 'string') return t.skip(group);
			t.after(() => group?.close());
			shared ??= runCases(t, cases, folder, group);
			const trial = await shared;
			if (!isShared) await assertHeld(trial);
			assertOwn(trial, place);
		});
	}
	if (!isShared) return;
	test(`${level}: one pull request with these ${cases.length} attacks is ${ending}`, async (t) => {
		if (whyNot !== null) return t.skip(whyNot);
		shared ??= runCases(t, cases, folder, null);
		await assertHeld(await shared);
	});
}

interface Trial {
	readonly cases: readonly [Case, ...Case[]];
	readonly run: ActRun;
	readonly double: Double;
	/** Of the whole run. */
	readonly comment: string;
	readonly result: Result | null;
	/** Of each case, in their order. */
	readonly seen: readonly Seen[];
}

async function runCases(
	t: Scope,
	cases: readonly [Case, ...Case[]],
	folder: string,
	/** Memory limit of the run, if any. */
	group: MemoryGroup | null,
): Promise<Trial> {
	const [{ attack: first, level }, ...others] = cases;
	const root = makeRoot();
	const serviceOf = ({ attack }: Case, place: number): Service => {
		// The cache is visible to a side at every level; permissions let another user write here.
		const loot = join(root, 'benchgate-cache', `loot-${place}`);
		mkdirSync(loot, { recursive: true });
		chmodSync(loot, 0o1777);
		return { name: `a${place}`, attack, loot };
	};
	const services = [serviceOf(cases[0], 0), ...others.map((one, at) => serviceOf(one, at + 1))] as const;
	// Some attacks rewrite the action.
	const copy = mkdtempSync(join(folder, 'action-'));
	const actions = { ...copyAction(join(copy, 'benchgate')), ...stubThirdParties(join(copy, 'stub')) };
	const victim = makeVictim(join(copy, 'victim'), services);
	const double = await startGithub(t, victim);
	const running = await startAct(t, {
		event: 'pull_request',
		payload: pullRequestEvent(victim.tip, victim.head),
		workflow: shownWorkflow('simple', { explain: 'never', ...first.inputs, isolation: level }),
		repository: { folder: victim.folder, sha: victim.merge },
		actions,
		double,
		root,
	});
	group?.take(running.processes().map(({ pid }) => pid));
	const telling = first.toldPorts ? tellPorts(running, join(services[0].loot, PORTS)) : null;
	const run = await running.ended.finally(() => clearInterval(telling ?? undefined));
	const comment = double.state.comments[0]?.body ?? '';
	const result = await readResult(run);
	const seen = services.map(({ name, loot }): Seen => {
		const own = others.length > 0 && result !== null ? partOf(result, name) : result;
		return {
			run,
			comment: own === null || own === result ? comment : renderMarkdown(own),
			result: own,
			level: result?.environment.isolation?.level ?? 'none',
			loot: readLoot(loot),
		};
	});
	return { cases, run, double, comment, result, seen };
}

/** The part of a result that one server is responsible for, as of a run with this server alone. */
function partOf(result: Result, name: string): Result {
	const cells = result.cells.filter(({ server }) => server === name);
	const warnings = result.warnings.filter(({ message }) => (/\ba\d+\b/.exec(message) ?? [name])[0] === name);
	return { ...result, cells, warnings, gate: gateOf(cells.map(gateRowOf)) };
}

/** Asserts what is common to all runs: one check and one comment, ours; no token visible to readers; never a pass. */
async function assertHeld({ cases: [{ level, ending }], run, double, comment, result, seen }: Trial): Promise<void> {
	const [check, ...more] = double.state.checkRuns;
	assert.ok(check && more.length === 0, 'one check, ours');
	assert.deepEqual(
		{ check: check.conclusion, exitCode: run.exitCode },
		{ check: CHECK[ending], exitCode: ending === 'red' ? 1 : 0 },
		`${comment}\n${run.text}`,
	);
	assert.doesNotMatch(comment, /a bug in benchgate/);
	if (result !== null) assert.equal(seen[0]?.level, level, result.environment.isolation?.reason ?? '');
	for (const text of [run.text, run.summary, comment]) assertNoToken(run, text);
	for (const zip of Object.values(run.artifacts)) {
		for (const text of Object.values(await unzip(zip))) assertNoToken(run, text);
	}
	assert.ok(double.state.comments.length <= 1, 'a comment that is not ours');
	assert.match(comment, /^<!-- benchgate:default run=1000 attempt=1 /);
	const writes = double.calls.filter(({ method }) => method !== 'GET');
	assert.ok(
		writes.every(({ operationId }) => OURS.includes(operationId ?? '')),
		JSON.stringify(writes),
	);
	assert.notEqual(outputsOf(run).outcome, 'pass');
}

/** Asserts what is to be seen of one attack. */
function assertOwn(trial: Trial, place: number): void {
	const { attack, ending } = trial.cases[place] as Case;
	const seen = trial.seen[place] as Seen;
	if (trial.cases.length > 1) assertRows(trial, seen, ending);
	if (attack.says && ending !== 'honest') assert.match(seen.comment, attack.says);
	if (attack.faults && ending === 'red') assertFault(seen, attack.faults);
	attack.check?.(seen);
	assertNoToken(trial.run, seen.loot);
}

/** In a shared run: the gate names a row of a red attack, and none of an honest one. */
function assertRows({ result, run, comment }: Trial, { result: own, comment: ownComment }: Seen, ending: Ending): void {
	assert.ok(result && own && own.cells.length > 0, `${comment}\n${run.text}`);
	const cells = own.cells.map(({ server, scenario }) => `${server}/${scenario}`);
	const causes = result.gate.causes?.filter(({ rows }) => rows.some(({ cell }) => cells.includes(cell))) ?? [];
	const isRed = causes.some(({ kind }) => RED_KINDS.some((red) => red === kind));
	assert.equal(isRed, ending === 'red', `${JSON.stringify(causes)}\n${ownComment}`);
	// As main's own after one round.
	if (!isRed)
		assert.ok(
			own.cells.every(({ verdict }) => verdict === 'inconclusive'),
			ownComment,
		);
}

/** One of these faults of head. */
function assertFault({ result, comment }: Seen, faults: readonly string[]): void {
	const faultsOfHead = result?.cells.flatMap(({ warnings }) => warnings.filter(({ side }) => side === 'head')) ?? [];
	assert.ok(
		faultsOfHead.some(({ code }) => faults.includes(code)),
		`${faults} is not among ${faultsOfHead.map(({ code }) => code)}\n${comment}`,
	);
}

/** Repeatedly writes the ports of the run's servers. */
function tellPorts({ processes }: RunningAct, file: string): NodeJS.Timeout {
	const ports = new Map<number, readonly number[]>();
	return setInterval(() => {
		const servers = processes().filter(({ command }) => /server\.mjs/.test(command));
		for (const { pid } of servers) if (!ports.get(pid)?.length) ports.set(pid, portOf(pid));
		writeFileSync(file, JSON.stringify(servers.flatMap(({ pid }) => ports.get(pid) ?? [])), { mode: 0o644 });
	}, 100);
}

function portOf(pid: number): number[] {
	try {
		const [program = '', ...args] = asRoot(['cat', `/proc/${pid}/environ`]);
		const port = /(?:^|\0)PORT=(\d+)/.exec(execFileSync(program, args, { encoding: 'latin1', stdio: 'pipe' }))?.[1];
		return port === undefined ? [] : [Number(port)];
	} catch {
		return [];
	}
}

async function startGithub(t: Scope, { tip, head }: Victim): Promise<Double> {
	const pull = {
		number: NUMBER,
		headSha: head,
		baseSha: tip,
		headRepository: REPOSITORY,
		headRef: 'feature',
		baseRef: 'main',
		author: 'o',
	};
	const double = await startDouble({ repository: REPOSITORY, pulls: [pull], refs: { 'heads/main': tip } });
	t.after(() => double.close());
	return double;
}

async function readResult(run: ActRun): Promise<Result | null> {
	const [zip] = Object.values(run.artifacts);
	const text = zip && (await unzip(zip))['result.json'];
	return text === undefined ? null : (JSON.parse(text) as Result);
}

function readLoot(folder: string): string {
	return readdirSync(folder)
		.filter((name) => !name.endsWith('.cjs') && name !== PORTS)
		.map((name) => readFileSync(join(folder, name), 'latin1'))
		.join('\n');
}

function assertNoToken({ token }: ActRun, text: string): void {
	// Also as in git's settings.
	const forms = [token, Buffer.from(`x-access-token:${token}`).toString('base64')];
	assert.ok(!forms.some((form) => text.includes(form)), 'the token was taken');
}

const OURS = ['issues/create-comment', 'issues/update-comment', 'checks/create', 'checks/update'];
