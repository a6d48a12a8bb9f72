/**
 * Two lanes whose sides run as other users, by root and by an ordinary user with sudo, forced onto two CPUs: what a
 * server of one lane sees of the others, and what remains.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findContradiction } from '../../src/formats/raw/raw-contradiction.ts';
import { summarise } from '../../src/judge/summarise.ts';
import { readFolder, readText } from '../../src/process/process-tree.ts';
import { isRunUser } from '../../src/process/users/run-users.ts';
import type { Raw } from '../../src/types/result.ts';
import type { Said } from '../fixtures/lanes-host.ts';
import {
	asRoot,
	makeOrdinaryUser,
	nodeForAll,
	readableByAll,
	type Who,
	whyNoPortGuard,
} from '../support/ordinary-user.ts';

const user = await makeOrdinaryUser();
const noPortGuard = await whyNoPortGuard();
const NAMES = ['one', 'two'];
const ROUNDS = 3;
/** A server that does not come up is tried a second time. */
const MOST_STRANGERS = 2;
const BUILD = `
const { mkdirSync, writeFileSync } = require('node:fs');
writeFileSync('built.txt', 'built');
mkdirSync('var', { recursive: true });
for (const path of ['var/starts', require('node:os').homedir() + '/starts']) writeFileSync(path, 'built\\n', { mode: 0o600 });
`;
/**
 * Looks for servers of other lanes and for its rival: their processes, and traces of them in folders that it may write.
 * The answers of both servers were checked in the first lane, once, before the second existed.
 */
const SERVER = `
const { appendFileSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { NAME, TMPDIR, HOST, PORT, SLOT } = process.env;
const refuse = (why) => { console.error(why); process.exit(1); };
for (const path of ['var/starts', require('node:os').homedir() + '/starts']) {
	const [built, ...names] = readFileSync(path, 'utf8').trim().split('\\n');
	if (built !== 'built') refuse(path + ' is not what was built');
	if (names.filter((name) => name !== NAME).length > ${MOST_STRANGERS}) refuse(path + ' is shared: ' + names);
	appendFileSync(path, NAME + '\\n');
}
for (const folder of [TMPDIR, process.argv[2]]) {
	if (readdirSync(folder).length > 0) refuse(folder + ' is not fresh');
	writeFileSync(folder + '/slot', SLOT);
}
const commands = readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap((pid) => {
	try { return readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('server.js') ? [pid] : []; } catch { return []; }
});
if (commands.some((pid) => Number(pid) !== process.pid && Number(pid) !== process.ppid)) refuse('it sees ' + commands);
const body = readFileSync('built.txt', 'utf8');
require('node:http').createServer((request, response) => response.end(body)).listen(PORT, HOST);
`;

interface Place {
	readonly folder: string;
	readonly repository: string;
	readonly cache: string;
}

/** A closed folder, as a home is, with a repository of two commits and a cache. */
function makePlace(t: TestContext, who: Who): Place {
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate-isolated-lanes-'));
	t.after(() => root('rm', '-rf', folder));
	const repository = join(folder, 'repository');
	const cache = join(folder, 'cache');
	for (const path of [repository, cache]) mkdirSync(path);
	const servers = NAMES.map((name) => ({
		name,
		command: 'exec node server.js "${data}"',
		env: { NAME: name, SLOT: '${slot}' },
		writable: ['var'],
	}));
	const hello = {
		name: 'hello',
		request: { path: '/' },
		expect: { status: 200, text: 'built' },
		load: { connections: 2 },
	};
	// JSON is valid YAML.
	const config = JSON.stringify({ prepare: 'node build.js', servers, scenarios: [hello] });
	const files = { 'benchgate.yml': config, 'build.js': BUILD, 'server.js': SERVER, 'package.json': '{}' };
	for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: repository, stdio: 'pipe' });
	git('init', '-q');
	git('add', '--all');
	git('commit', '-q', '-m', 'one');
	git('tag', 'one');
	git('commit', '-q', '--allow-empty', '-m', 'two');
	git('tag', 'two');
	if (who === 'sudo') root('chown', '-R', user.name, folder);
	return { folder, repository, cache };
}

function root(...argv: readonly string[]): string {
	const [program = '', ...args] = asRoot(argv);
	return execFileSync(program, args, { encoding: 'utf8' });
}

/** Starts a comparison, and returns its output line by line. */
function start(who: Who, { repository, cache, folder }: Place, level: string, rounds = ROUNDS) {
	const env = ['env', `HOME=${folder}`, `PATH=/usr/local/bin:/usr/bin:/bin`];
	const host = [nodeForAll(), readableByAll('test/fixtures/lanes-host.ts'), level, cache, `${rounds}`];
	const argv = [...env, ...host];
	const [program = '', ...args] = who === 'root' ? asRoot(argv) : user.command(argv);
	const child = spawn(program, args, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	return { child, output: () => output, lines: linesOf(child) };
}

async function* linesOf({ stdout }: ChildProcess): AsyncGenerator<Said> {
	for await (const line of createInterface({ input: stdout as NodeJS.ReadableStream })) yield JSON.parse(line) as Said;
}

/** Running servers of users that exist only for runs: the CPUs of each user. */
function running({ cache }: Place): Map<number, Set<string>> {
	const cpusOf = new Map<number, Set<string>>();
	for (const pid of readFolder('/proc')) {
		const status = readText(`/proc/${pid}/status`) ?? '';
		const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
		const cpus = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1];
		if (!isRunUser(uid) || cpus === undefined || !folderOf(pid).startsWith(cache)) continue;
		cpusOf.set(uid, (cpusOf.get(uid) ?? new Set()).add(cpus));
	}
	return cpusOf;
}

/** Of a process; empty when it is gone. */
function folderOf(pid: string): string {
	try {
		return readlinkSync(`/proc/${pid}/cwd`);
	} catch {
		return '';
	}
}

/** Whether each port that one of `users` listens at is refused to all others of them, by the run's table. */
function areRefused(users: readonly number[]): boolean {
	const rows = (readText('/proc/net/tcp') ?? '').split('\n').map((line) => line.trim().split(/\s+/));
	const listening = rows.flatMap(([, local = '', , state, , , , uid]) =>
		state === '0A' && users.includes(Number(uid))
			? [{ uid: Number(uid), port: Number.parseInt(local.split(':')[1] ?? '', 16) }]
			: [],
	);
	const tables = root('nft', 'list', 'tables');
	const [guarded] = users.filter((uid) => tables.includes(`benchgate_${uid}`));
	if (guarded === undefined || listening.length < users.length) return false;
	const refused = root('nft', 'list', 'set', 'inet', `benchgate_${guarded}`, 'refused');
	return listening.every(({ uid, port }) =>
		users.every((other) => new RegExp(`\\b${other} \\. ${port}\\b`).test(refused) === (other !== uid)),
	);
}

function ownersLeft(uids: ReadonlySet<number>): number[] {
	return readFolder('/proc').flatMap((pid) => {
		const uid = Number(/^Uid:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1]);
		return uids.has(uid) ? [uid] : [];
	});
}

async function assertNothingLeft({ cache, folder }: Place, uids: ReadonlySet<number>): Promise<void> {
	const remains = () => ({
		processes: ownersLeft(uids),
		folders: ['sides', 'checkouts'].flatMap((part) =>
			readFolder(join(cache, part)).filter((name) => !name.endsWith('.log')),
		),
		mounts: readFileSync('/proc/self/mounts', 'utf8')
			.split('\n')
			.filter((line) => line.includes(folder)),
		tables:
			noPortGuard === null ? [...uids].filter((uid) => root('nft', 'list', 'tables').includes(`benchgate_${uid}`)) : [],
	});
	const nothing = JSON.stringify({ processes: [], folders: [], mounts: [], tables: [] });
	for (let attempt = 0; attempt < 600 && JSON.stringify(remains()) !== nothing; attempt++) await delay(100);
	assert.equal(JSON.stringify(remains()), nothing);
}

// Each way and each level once: test/isolation/lanes.slow.test.ts has all four.
for (const [who, level] of [
	['sudo', 'users'],
	['root', 'namespace'],
] as const) {
	test(`${who}: with ${level} servers of two lanes see nothing of each other, and leave nothing behind`, async (t) => {
		const place = makePlace(t, who);
		const { child, output, lines } = start(who, place, level);
		const exited = once(child, 'exit');
		const together: Map<number, Set<string>>[] = [];
		let refused = false;
		const looking = setInterval(() => {
			const now = running(place);
			together.push(now);
			if (noPortGuard === null && now.size === 4) refused ||= areRefused([...now.keys()]);
		}, 100);
		let raw: Raw | null = null;
		let cpus: readonly [number, number] | null = null;
		try {
			for await (const said of lines) {
				if ('cpus' in said) cpus = said.cpus;
				if ('raw' in said) raw = said.raw;
			}
		} finally {
			clearInterval(looking);
		}
		assert.deepEqual(await exited, [0, null], output());
		assert.ok(raw && cpus, output());
		assert.deepEqual(raw.refused, []);
		const { environment, warnings } = raw.context;
		assert.deepEqual([environment.isolation?.level, environment.isolation?.reason], [level, null]);
		assert.deepEqual(
			warnings.filter(({ code }) => ['one-lane', 'leaked-children', 'less-isolation'].includes(code)),
			[],
		);
		assert.deepEqual(
			raw.lanes?.map(({ cells }) => cells),
			NAMES.map((name) => [`${name}/hello`]),
		);
		assert.deepEqual(
			raw.rounds.flatMap(({ cells }) => cells.flatMap(({ faults }) => faults)),
			[],
		);
		assert.equal(raw.rounds.filter(({ purpose }) => purpose === 'main').length, NAMES.length * ROUNDS);
		assert.equal(findContradiction(raw), null);
		for (const { metrics } of summarise(raw).cells) assert.ok((metrics['cpu-per-request']?.base ?? 0) > 0);
		const users = new Set(together.flatMap((seen) => [...seen.keys()]));
		if (level === 'users') {
			const most = together.reduce((best, seen) => (seen.size > best.size ? seen : best), new Map());
			assert.equal(most.size, 4, 'four users at once');
			assert.equal(refused, noPortGuard === null);
			assert.deepEqual(
				[...most.values()].map((held) => [...held].join()).toSorted(),
				cpus.flatMap((cpu) => [`${cpu}`, `${cpu}`]).toSorted(),
			);
		} else assert.equal(users.size, 0);
		await assertNothingLeft(place, users);
	});
}

test('sudo: kill -9 between two rounds of two lanes leaves nothing', async (t) => {
	const place = makePlace(t, 'sudo');
	const { child, output, lines } = start('sudo', place, 'users', 20);
	const exited = once(child, 'exit');
	const users = new Set<number>();
	let pid = 0;
	for await (const said of lines) {
		if ('pid' in said) pid = said.pid;
		if (!('rounds' in said)) continue;
		while (running(place).size < 4 && child.exitCode === null) await delay(10);
		for (const uid of running(place).keys()) users.add(uid);
		process.kill(pid, 'SIGKILL');
		break;
	}
	await exited;
	assert.ok(users.size >= 4, output());
	await assertNothingLeft(place, users);
});
