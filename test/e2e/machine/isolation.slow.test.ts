/**
 * A whole comparison whose sides run as other users, by root and by an ordinary user with sudo: the attempts of head,
 * and the traces of the run.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { listProcessesOf } from '../../../src/process/users/user-processes.ts';
import type { Result } from '../../../src/types/result.ts';
import {
	asRoot,
	BOTH_WAYS,
	makeOrdinaryUser,
	nodeForAll,
	readableByAll,
	type Who,
} from '../../support/ordinary-user.ts';

const user = await makeOrdinaryUser();
/** Interval between looks at the users of a run. */
const LOOK_MS = 20;

/** Forbidden actions of a side, in shell; each line must fail. */
const FORBIDDEN = {
	tools: 'touch "$TOOLS/node"',
	'secrets beside the cache': 'cat "$HOMELY/secret"',
	'the token in the repository': 'grep -q extraheader "$HOMELY/repository/.git/config"',
	'the token in a submodule': 'grep -q extraheader "$HOMELY/repository/.git/modules/one/config"',
	'the repository itself': 'touch "$HOMELY/repository/.git/hooks/post-checkout"',
	'our processes': 'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -q "[c]ompare --base"',
	'becoming root': 'sudo -n true',
	'the cache': 'touch "$HOMELY/cache/workspaces/x" || touch "$HOMELY/cache/checkouts/x"',
};
/** Tries the forbidden actions and reports those that succeed. */
const LIBRARY = `
const { spawnSync } = require('node:child_process');
const forbidden = ${JSON.stringify(FORBIDDEN)};
exports.check = () => {
	for (const [what, script] of Object.entries(forbidden)) {
		if (spawnSync('/bin/sh', ['-c', script], { stdio: 'ignore' }).status === 0) throw new Error('it reached ' + what);
	}
};
`;
const BUILD = `
require('./library.js').check();
require('node:fs').writeFileSync('built.txt', 'built');
require('node:fs').writeFileSync(require('node:os').homedir() + '/kept', 'kept');
require('node:child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: {} }).unref();
`;
const SERVER = `
const { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
require('./library.js').check();
let written = false;
try { writeFileSync('built.txt', 'changed'); written = true; } catch {}
if (written) throw new Error('the server can change what was built');
const data = process.argv[2];
for (const folder of [process.env.TMPDIR, data]) {
	if (readdirSync(folder).length > 0) throw new Error(folder + ' is not fresh');
	writeFileSync(folder + '/mine', 'mine');
}
// What cannot be entered has to be removed all the same.
mkdirSync(data + '/closed/inner', { recursive: true });
chmodSync(data + '/closed', 0);
// The kernel limits names of sockets to 107 bytes, and programs put them below TMPDIR.
require('node:net').createServer().listen(process.env.TMPDIR + '/' + 's'.repeat(40));
if (process.env.DATA !== data + '/db') throw new Error('DATA is ' + process.env.DATA);
writeFileSync('var/uploads/' + process.pid, 'uploaded');
writeFileSync('/dev/stderr', 'serving');
const body = readFileSync('built.txt', 'utf8');
const answer = (request, response) => setTimeout(() => response.end(body), 2);
require('node:http').createServer(answer).listen(process.env.PORT, process.env.HOST);
`;
const CONFIG = `
prepare: node build.js
servers:
  - { name: api, command: 'node server.js "\${data}"', env: { DATA: '\${data}/db' }, writable: [var/uploads] }
scenarios:
  - { name: hello, request: { path: / }, expect: { status: 200, text: built }, load: { connections: 4 } }
# How fast it is decides nothing.
threshold: 90%
`;

/** Some machines make our files unreadable for others. */
const UMASK = ['/bin/sh', '-c', 'umask 077; exec "$@"', 'sh'];

interface Place {
	readonly folder: string;
	readonly repository: string;
	readonly cache: string;
}

/**
 * A closed folder, like a home, with a repository of two commits, a cache, and a folder of tools that everyone can
 * write.
 */
function makePlace(t: TestContext, who: Who): Place {
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate-e2e-isolation-'));
	t.after(() => root('rm', '-rf', folder));
	const repository = join(folder, 'repository');
	const cache = join(folder, 'cache');
	for (const path of [repository, cache, join(folder, 'tools')]) mkdirSync(path);
	chmodSync(join(folder, 'tools'), 0o777);
	writeFileSync(join(folder, 'secret'), 'secret', { mode: 0o644 });
	const settings = `TOOLS='${folder}/tools' HOMELY='${folder}'`;
	const library = LIBRARY.replace("['-c', script]", `['-c', ${JSON.stringify(`${settings}; `)} + script]`);
	const files = {
		'benchgate.yml': CONFIG,
		'build.js': BUILD,
		'server.js': SERVER,
		'library.js': library,
		'package.json': '{}',
	};
	for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: repository, stdio: 'pipe' });
	git('init', '-q');
	git('add', '--all');
	git('commit', '-q', '-m', 'one');
	git('tag', 'one');
	git('commit', '-q', '--allow-empty', '-m', 'two');
	git('config', 'http.https://github.com/.extraheader', 'AUTHORIZATION: basic c2VjcmV0');
	mkdirSync(join(repository, '.git/modules/one'), { recursive: true });
	copyFileSync(join(repository, '.git/config'), join(repository, '.git/modules/one/config'));
	if (who === 'sudo') root('chown', '-R', user.name, folder);
	return { folder, repository, cache };
}

/** Commits files, and links by their targets. */
function commit(
	{ repository }: Place,
	who: Who,
	files: Readonly<Record<string, string>>,
	links: Readonly<Record<string, string>> = {},
): void {
	for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
	for (const [name, target] of Object.entries(links)) {
		mkdirSync(join(repository, name, '..'), { recursive: true });
		symlinkSync(target, join(repository, name));
	}
	const line = 'git add --all && git -c user.name=t -c user.email=t@t commit -q -m more';
	const argv = ['/bin/sh', '-c', `cd '${repository}' && ${line}`];
	const [program = '', ...args] = who === 'root' ? asRoot(argv) : user.command(argv);
	execFileSync(program, args);
}

function root(...argv: readonly string[]): string {
	const [program = '', ...args] = asRoot(argv);
	return execFileSync(program, args, { encoding: 'utf8' });
}

interface Ended {
	readonly stdout: string;
	readonly stderr: string;
	readonly status: number;
	/** Users created for its sides; empty if they run as ours. */
	readonly users: readonly number[];
}

async function compare(
	who: Who,
	{ folder, repository, cache }: Place,
	through: readonly string[],
	...flags: readonly string[]
): Promise<Ended> {
	const base = flags.includes('--base') ? [] : ['--base', 'one'];
	const budget = flags.includes('--budget') ? [] : ['--budget', '10m'];
	const line = [
		'compare',
		...base,
		'--head',
		'HEAD',
		'--rounds',
		'2',
		'--warmup',
		'200ms',
		'--skip-unaffected',
		'false',
		...budget,
		...flags,
	];
	const path = [join(folder, 'tools'), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
	const env = ['env', `BENCHGATE_CACHE=${cache}`, `PATH=${path}`, `HOME=${folder}`];
	const argv = [...env, ...through, nodeForAll(), readableByAll('dist/cli.js'), ...line, '--node', nodeForAll()];
	const [program = '', ...args] = who === 'root' ? asRoot(argv) : user.command(argv);
	const child = spawn(program, args, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
	const users = new Set<number>();
	const looking = setInterval(() => {
		for (const uid of usersIn(cache)) users.add(uid);
	}, LOOK_MS);
	const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
	clearInterval(looking);
	return { stdout, stderr, status, users: [...users] };
}

/** The users of current runs: each side has a folder named after its user. */
function usersIn(cache: string): number[] {
	const sides = join(cache, 'sides');
	const runs = foldersIn(sides).filter((name) => name.startsWith('run-'));
	return runs.flatMap((run) => foldersIn(join(sides, run)).map(Number));
}

function foldersIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		// Not there yet, or already removed.
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
		throw error;
	}
}

// Each way and each level once: test/isolation has all four.
for (const [who, level] of [
	['sudo', 'users'],
	['root', 'namespace'],
] as const) {
	test(`${who}: with ${level} both sides build and serve, reach nothing, and leave nothing behind`, async (t) => {
		const place = makePlace(t, who);
		const json = join(place.folder, 'result.json');
		const { stdout, stderr, status, users } = await compare(who, place, UMASK, '--isolation', level, '--json', json);
		assert.ok(status === 0, stderr + stdout);
		const result = JSON.parse(root('cat', json)) as Result;
		const { reason, refusesRival, ...reached } = result.environment.isolation ?? { reason: 'nothing was said' };
		assert.deepEqual([reached, reason], [{ level, hidesProcesses: true, readOnly: true }, null]);
		const [cell] = result.cells;
		assert.ok((cell?.rounds ?? 0) >= 2 && cell?.verdict !== 'invalid', JSON.stringify(cell));
		assert.ok((cell?.metrics['cpu-per-request']?.base ?? 0) > 0, 'CPU time of another user is read');
		assert.match(stdout, /Isolation/);
		assert.deepEqual(
			result.warnings.filter(({ code }) => code === 'leaked-children'),
			[],
		);
		assert.equal(users.length, level === 'users' ? 2 : 0);
		assert.deepEqual(users.flatMap(listProcessesOf), []);
		const remains = ['sides', 'checkouts'].flatMap((part) =>
			foldersIn(join(place.cache, part)).filter((name) => !name.endsWith('.log')),
		);
		assert.deepEqual(remains, []);
	});
}

test('without mounts, users do not satisfy isolation-required', async (t) => {
	const place = makePlace(t, 'root');
	chmodSync(place.folder, 0o711);
	const without = ['setpriv', '--bounding-set=-sys_admin', '--inh-caps=-sys_admin', '--'];
	const { stderr, status } = await compare(
		'root',
		place,
		without,
		'--isolation',
		'users',
		'--isolation-required',
		'namespace',
	);
	assert.equal(status, 2);
	assert.match(stderr, /only users without a read-only machine is possible here: without a view of its own: /);
});

for (const [label, prepare] of [
	['stops itself', 'kill -s STOP $$; node build.js'],
	['leaves its group', 'exec setsid --wait sleep 300'],
] as const) {
	test(`sudo: a build that ${label} ends with its time, and leaves nothing`, async (t) => {
		const place = makePlace(t, 'sudo');
		root(
			'/bin/sh',
			'-c',
			`printf '%s' "$0" >'${place.repository}/benchgate.yml'`,
			CONFIG.replace('node build.js', () => prepare),
		);
		const { stderr, status, users } = await compare(
			'sudo',
			place,
			[],
			'--isolation',
			'users',
			'--prepare-timeout',
			'2s',
		);
		assert.equal(status, 3, stderr);
		assert.match(stderr, /did not end within 2s/);
		assert.equal(users.length, 2);
		assert.deepEqual(users.flatMap(listProcessesOf), []);
	});
}

for (const who of BOTH_WAYS) {
	test(`${who}: with prepare-as: runner builds have our rights, and servers do not`, async (t) => {
		const place = makePlace(t, who);
		const build =
			"require('node:fs').writeFileSync('built.txt', 'built', { mode: 0o600 });\nrequire('node:child_process').execFileSync('sudo', ['-n', 'true']);\n";
		commit(place, who, { 'build.js': build, 'benchgate.yml': `prepare-as: runner\n${CONFIG}` });
		const json = join(place.folder, 'result.json');
		const { stdout, stderr, status } = await compare(
			who,
			place,
			[],
			'--base',
			'HEAD',
			'--budget',
			'1s',
			'--json',
			json,
		);
		assert.ok(status === 0, stderr + stdout);
		const result = JSON.parse(root('cat', json)) as Result;
		assert.equal(result.environment.isolation?.level, 'users');
	});

	test(`${who}: a build that needs sudo fails with a remedy`, async (t) => {
		const place = makePlace(t, who);
		commit(place, who, {
			'build.js': "require('node:child_process').execFileSync('sudo', ['-n', 'true'], { stdio: 'inherit' });\n",
		});
		const { stderr, status } = await compare(who, place, []);
		assert.notEqual(status, 0);
		assert.match(stderr, /neither sudo nor docker.*prepare-as: runner/s);
	});
}

test('sudo: a server that writes to a forbidden place fails with a remedy', async (t) => {
	const place = makePlace(t, 'sudo');
	const server = "require('node:fs').mkdirSync('logs');\n";
	commit(place, 'sudo', {
		'build.js': "require('node:fs').writeFileSync('built.txt', 'built');\n",
		'server.js': server,
	});
	const { stdout, stderr } = await compare('sudo', place, [], '--base', 'HEAD');
	assert.match(stdout + stderr, /EACCES[\s\S]*"writable:"/);
});

test('sudo: a writable folder that leads out of the checkout is refused', async (t) => {
	const place = makePlace(t, 'sudo');
	commit(
		place,
		'sudo',
		{ 'benchgate.yml': CONFIG.replace('var/uploads', 'var/uploads/deep') },
		{ 'var/uploads': place.folder },
	);
	const { stderr, status } = await compare('sudo', place, []);
	assert.notEqual(status, 0);
	assert.match(stderr, /var\/uploads\/deep.*is no folder inside of the checkout/);
});

test('less isolation than required is an error, and nothing runs', async (t) => {
	const place = makePlace(t, 'root');
	const { stderr, status } = await compare('root', place, [], '--isolation', 'none', '--isolation-required', 'users');
	assert.equal(status, 2);
	assert.match(stderr, /isolation-required is users, but only none is possible here/);
});
