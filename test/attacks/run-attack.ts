/** Runs a hostile pull request through the committed action under act, with assertions common to all. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { IsolationLevel } from '../../src/types/isolation.ts';
import type { Result } from '../../src/types/result.ts';
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
import { makeVictim, type Victim } from './victim.ts';

/** After one round main itself is inconclusive, which its config makes neutral. */
const CHECK: Readonly<Record<Ending, string>> = { red: 'failure', neutral: 'neutral', honest: 'neutral' };

/** Runs every attack at each of its levels, sequentially; skips all if there is a reason. */
export function testAttacks(attacks: readonly Attack[], whyNot: string | null = null): void {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-attacks-'));
	after(() => rmSync(folder, { recursive: true, force: true }));
	const victims = new Map<string, Victim>();
	const victimOf = (attack: Attack): Victim => {
		const suffix = attack.main ? [`${attacks.indexOf(attack)}`] : [];
		const name = ['victim', ...suffix, ...(attack.measured ? ['measured'] : []), ...(attack.rows ?? [])].join('-');
		const victim = victims.get(name) ?? makeVictim(join(folder, name), attack);
		victims.set(name, victim);
		return victim;
	};
	for (const attack of attacks) {
		for (const [level, ending] of endingsOf(attack)) {
			test(`${level}: a pull request that ${attack.does}`, async (t) => {
				const why = whyNot ?? (attack.toldPorts && level === 'users' ? await whyNoPortGuard() : null);
				if (why !== null) return t.skip(why);
				const group = attack.memoryLimit === undefined ? null : makeMemoryGroup(attack.memoryLimit);
				if (typeof group === 'string') return t.skip(group);
				t.after(() => group?.close());
				// Some attacks rewrite the action.
				const copy = mkdtempSync(join(folder, 'action-'));
				const actions = { ...copyAction(join(copy, 'benchgate')), ...stubThirdParties(join(copy, 'stub')) };
				await assertHeld(t, { victim: victimOf(attack), actions, attack, level, ending, group });
			});
		}
	}
}

interface Trial {
	readonly victim: Victim;
	readonly actions: Readonly<Record<string, string>>;
	readonly attack: Attack;
	readonly level: IsolationLevel;
	readonly ending: Ending;
	/** Memory limit of the run, if any. */
	readonly group: MemoryGroup | null;
}

async function assertHeld(t: Scope, { victim, actions, attack, level, ending, group }: Trial): Promise<void> {
	const root = makeRoot();
	// The cache is visible to a side at every level; permissions let another user write here.
	const loot = join(root, 'benchgate-cache', 'loot');
	mkdirSync(loot, { recursive: true });
	chmodSync(loot, 0o1777);
	const { head, merge } = victim.attack(attack, loot);
	const double = await startGithub(t, victim, head);
	const running = await startAct(t, {
		event: 'pull_request',
		payload: pullRequestEvent(victim.tip, head),
		workflow: shownWorkflow('simple', { explain: 'never', ...attack.inputs, isolation: level }),
		repository: { folder: victim.folder, sha: merge },
		actions,
		double,
		root,
	});
	group?.take(running.processes().map(({ pid }) => pid));
	const telling = attack.toldPorts ? tellPorts(running, join(loot, PORTS)) : null;
	const run = await running.ended.finally(() => clearInterval(telling ?? undefined));
	const seen = await lookAt(run, double, loot);
	const [check, ...more] = double.state.checkRuns;
	assert.ok(check && more.length === 0, 'one check, ours');
	assert.deepEqual(
		{ check: check.conclusion, exitCode: run.exitCode },
		{ check: CHECK[ending], exitCode: ending === 'red' ? 1 : 0 },
		`${seen.comment}\n${run.text}`,
	);
	assert.doesNotMatch(seen.comment, /a bug in benchgate/);
	if (seen.result !== null) assert.equal(seen.level, level, seen.result.environment.isolation?.reason ?? '');
	if (attack.says && ending !== 'honest') assert.match(seen.comment, attack.says);
	if (attack.faults && ending === 'red') assertFault(seen, attack.faults);
	attack.check?.(seen);
	await assertNothingTaken(seen, double);
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

async function startGithub(t: Scope, victim: Victim, head: string): Promise<Double> {
	const pull = {
		number: NUMBER,
		headSha: head,
		baseSha: victim.tip,
		headRepository: REPOSITORY,
		headRef: 'feature',
		baseRef: 'main',
		author: 'o',
	};
	const double = await startDouble({ repository: REPOSITORY, pulls: [pull], refs: { 'heads/main': victim.tip } });
	t.after(() => double.close());
	return double;
}

async function lookAt(run: ActRun, double: Double, loot: string): Promise<Seen> {
	const [zip] = Object.values(run.artifacts);
	const files = zip ? await unzip(zip) : {};
	const text = files['result.json'];
	const result = text === undefined ? null : (JSON.parse(text) as Result);
	return {
		run,
		comment: double.state.comments[0]?.body ?? '',
		result,
		level: result?.environment.isolation?.level ?? 'none',
		loot: readdirSync(loot)
			.filter((name) => !name.endsWith('.cjs') && name !== PORTS)
			.map((name) => readFileSync(join(loot, name), 'latin1'))
			.join('\n'),
	};
}

/** No token visible to the code under test or a reader, no foreign text, never a pass. */
async function assertNothingTaken({ run, comment, loot }: Seen, double: Double): Promise<void> {
	// Also as in git's settings.
	const forms = [run.token, Buffer.from(`x-access-token:${run.token}`).toString('base64')];
	const assertNone = (text: string) => assert.ok(!forms.some((form) => text.includes(form)), 'the token was taken');
	for (const text of [loot, run.text, run.summary, comment]) assertNone(text);
	for (const zip of Object.values(run.artifacts)) {
		for (const text of Object.values(await unzip(zip))) assertNone(text);
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

const OURS = ['issues/create-comment', 'issues/update-comment', 'checks/create', 'checks/update'];
