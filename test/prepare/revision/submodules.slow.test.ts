/** Submodules in checkouts: their sources, and hostile `.gitmodules` files without effect. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startGitServer } from '../../support/git-server.ts';
import {
	commit,
	customServer,
	git,
	makeFolder,
	openSetting,
	printOf,
	setEnvironment,
	userError,
	writeFiles,
} from '../support.ts';

const LOCAL = ['-c', 'protocol.file.allow=always'];
const SHOW = customServer('.', 'cat vendor/data/table.txt');
const WHEREVER = customServer('.', 'cat vendor/data/table.txt 2>/dev/null || echo empty');

/** Adds `from` as a submodule by its local path. */
function addSubmodule(folder: string, from: string, path: string): void {
	if (!existsSync(join(folder, '.git'))) git(folder, 'init', '--quiet');
	git(folder, ...LOCAL, 'submodule', '--quiet', 'add', from, path);
}

/** A repository of two commits, `v1` and `v2`, that differ only in the commit of their submodule. */
function withBump(t: TestContext): { cwd: string; data: string } {
	const data = makeFolder(t);
	commit(data, 'd1', { 'table.txt': 'one' });
	const cwd = makeFolder(t, { 'app.txt': 'app' });
	addSubmodule(cwd, data, 'vendor/data');
	commit(cwd, 'v1', {});
	commit(data, 'd2', { 'table.txt': 'two' });
	git(join(cwd, 'vendor/data'), 'pull', '--quiet', 'origin', 'main');
	commit(cwd, 'v2', {});
	return { cwd, data };
}

/** Points a path at a commit of another repository, with these lines of `.gitmodules`. */
function link(cwd: string, tag: string, path: string, sha: string, modules: string): void {
	if (!existsSync(join(cwd, '.git'))) git(cwd, 'init', '--quiet');
	writeFiles(cwd, { '.gitmodules': modules, 'app.txt': 'app' });
	git(cwd, 'add', '--', '.gitmodules', 'app.txt');
	git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${sha},${path}`);
	git(cwd, 'commit', '--quiet', '--allow-empty', '-m', tag);
	git(cwd, 'tag', tag);
}

function moduleOf(url: string, path = 'vendor/data', name = path): string {
	return `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${url}\n`;
}

test('a commit that only bumps a submodule is measured with the commit that each side names', async (t) => {
	const { cwd } = withBump(t);
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepareChanged('v1', 'v2', [SHOW]);
	assert.ok(!('unchanged' in prepared));
	assert.equal(printOf(prepared, 'base', 'api'), 'one');
	assert.equal(printOf(prepared, 'head', 'api'), 'two');
	const folder = prepared.sides.head.servers.api?.cwd ?? '';
	assert.deepEqual(readdirSync(join(folder, 'vendor/data')), ['table.txt']);
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
});

test('submodules of submodules, of linked worktrees, and with a repository in their own folder', async (t) => {
	const inner = makeFolder(t);
	commit(inner, 'i1', { 'inner.txt': 'inner' });
	const outer = makeFolder(t);
	addSubmodule(outer, inner, 'deep/inner');
	commit(outer, 'o1', {});
	const cwd = makeFolder(t);
	addSubmodule(cwd, outer, 'vendor/outer');
	git(cwd, ...LOCAL, 'submodule', '--quiet', 'update', '--init', '--recursive');
	git(cwd, 'clone', '--quiet', inner, 'vendor/old');
	writeFileSync(join(cwd, '.gitmodules'), moduleOf(inner, 'vendor/old'), { flag: 'a' });
	commit(cwd, 'v1', {});
	commit(cwd, 'v2', { 'app.txt': 'app' });
	const servers = [customServer('.', 'cat vendor/outer/deep/inner/inner.txt vendor/old/inner.txt')];
	const prepared = await (await openSetting(t, { cwd })).prepare('v1', 'v2', servers);
	assert.equal(printOf(prepared, 'base', 'api'), 'innerinner');
	const linked = join(makeFolder(t), 'linked');
	git(cwd, 'worktree', 'add', '--quiet', '--detach', linked, 'v2');
	const server = customServer('.', 'cat vendor/outer/deep/inner/inner.txt');
	git(cwd, 'rm', '--quiet', '--cached', 'vendor/old');
	commit(cwd, 'v3', { '.gitignore': 'vendor/old\n' });
	const there = await (await openSetting(t, { cwd: linked })).prepare('v3', 'v3', [server]);
	assert.equal(printOf(there, 'head', 'api'), 'inner');
});

test('a prepare command that fills submodules finds them filled', async (t) => {
	const { cwd } = withBump(t);
	const setting = await openSetting(t, { cwd });
	const prepare = 'git submodule update --init --recursive && git -C vendor/data rev-parse HEAD > filled.txt';
	const server = customServer('.', 'cat filled.txt');
	const prepared = await setting.prepare('v1', 'v2', [server], { prepare });
	assert.equal(printOf(prepared, 'head', 'api'), git(cwd, 'rev-parse', 'v2:vendor/data'));
});

test('a commit that no repository and no address has is a fault before any code runs', async (t) => {
	const { data } = withBump(t);
	const cwd = makeFolder(t);
	link(cwd, 'v1', 'vendor/data', git(data, 'rev-parse', 'd1'), moduleOf(data));
	const setting = await openSetting(t, { cwd });
	const error = await userError(setting.prepare('v1', 'v1', [WHEREVER]));
	assert.equal(error.code, 'checkout-incomplete');
	assert.equal(error.exitCode, 3);
	assert.match(
		error.message,
		/^the submodule "vendor\/data" at [0-9a-f]{7} \(its address \/.* is not followed, because it is no https\) could not be filled$/,
	);
	assert.match(
		error.remedy ?? '',
		/git submodule update --init --recursive.*submodules: recursive on actions\/checkout.*reads/,
	);
	const late = await userError(setting.prepare('v1', 'v1', [WHEREVER], { prepare: 'false' }));
	assert.match(late.message, /^the submodule "vendor\/data" .* could not be filled; and false failed with exit code 1/);
	const idle = await userError(setting.prepare('v1', 'v1', [WHEREVER], { prepare: 'true' }));
	assert.equal(idle.code, 'checkout-incomplete');
	const filled = await setting.prepare('v1', 'v1', [WHEREVER], { prepare: 'echo mine > vendor/data/table.txt' });
	assert.equal(printOf(filled, 'head', 'api'), 'mine');
});

test('a missing submodule that no server reads is a warning, and another config does not reuse its absence from the cache', async (t) => {
	const { data } = withBump(t);
	const cwd = makeFolder(t);
	link(cwd, 'v1', 'docs/theme', git(data, 'rev-parse', 'd1'), moduleOf(data, 'docs/theme'));
	const setting = await openSetting(t, { cwd });
	const server = customServer('.', 'cat app.txt');
	for (const _ of ['made', 'made again']) {
		const { warnings } = await setting.prepare('v1', 'v1', [server], { reads: ['src'] });
		assert.deepEqual(
			warnings.map(({ code, side }) => [code, side]),
			[
				['checkout-incomplete', 'base'],
				['checkout-incomplete', 'head'],
			],
		);
		assert.match(
			warnings[0]?.message ?? '',
			/^base \(v1\): the submodule "docs\/theme" .*By the config no server reads that\.$/,
		);
	}
	for (const reads of [['docs/theme/css'], ['docs'], ['docs/theme']]) {
		assert.equal((await userError(setting.prepare('v1', 'v1', [server], { reads }))).code, 'checkout-incomplete');
	}
	assert.equal((await userError(setting.prepare('v1', 'v1', [server]))).code, 'checkout-incomplete');
});

test('a folder with an empty submodule gets the commit that the index names', async (t) => {
	const { cwd, data } = withBump(t);
	git(cwd, 'submodule', '--quiet', 'deinit', '--force', '--all');
	assert.deepEqual(readdirSync(join(cwd, 'vendor/data')), []);
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepareChanged('v1', 'dir:.', [SHOW]);
	assert.ok(!('unchanged' in prepared));
	assert.equal(printOf(prepared, 'base', 'api'), 'one');
	assert.equal(printOf(prepared, 'head', 'api'), 'two');
	assert.ok('unchanged' in (await setting.prepareChanged('v2', 'dir:.', [SHOW])));
	git(cwd, 'update-index', '--cacheinfo', `160000,${git(data, 'rev-parse', 'd1')},vendor/data`);
	const bumped = await setting.prepareChanged('v2', 'dir:.', [SHOW]);
	assert.ok(!('unchanged' in bumped));
	assert.equal(printOf(bumped, 'head', 'api'), 'one');
});

test('a submodule is no document, whatever its name', async (t) => {
	const { data } = withBump(t);
	const cwd = makeFolder(t);
	for (const [tag, of] of [
		['v1', 'd1'],
		['v2', 'd2'],
	] as const) {
		link(cwd, tag, 'docs/guide.md', git(data, 'rev-parse', of), moduleOf(data, 'docs/guide.md'));
	}
	const setting = await openSetting(t, { cwd });
	const error = await userError(setting.prepareChanged('v1', 'v2', [customServer('.', 'cat app.txt')]));
	assert.equal(error.code, 'checkout-incomplete');
});

/** Repositories of two owners on a host, and one that has two of their commits as submodules by https. */
async function hosted(t: TestContext) {
	const { data } = withBump(t);
	const root = makeFolder(t);
	for (const owner of ['acme', 'other']) git(root, 'clone', '--quiet', '--bare', data, `${owner}/data.git`);
	const server = await startGitServer(t, root);
	setEnvironment(t, { GIT_SSL_CAINFO: server.certificate });
	const cwd = makeFolder(t);
	git(cwd, 'init', '--quiet');
	git(cwd, 'remote', 'add', 'origin', `${server.url}/acme/app.git`);
	const shas = { one: git(data, 'rev-parse', 'd1'), two: git(data, 'rev-parse', 'd2') };
	return { server, cwd, shas, setting: await openSetting(t, { cwd }) };
}

test('missing commits are fetched by https from the addresses of base, once', async (t) => {
	const { server, cwd, shas, setting } = await hosted(t);
	link(cwd, 'v1', 'vendor/data', shas.one, moduleOf('../data.git'));
	link(cwd, 'v2', 'vendor/data', shas.two, moduleOf('../data.git'));
	const prepared = await setting.prepare('v1', 'v2', [SHOW]);
	assert.equal(printOf(prepared, 'base', 'api'), 'one');
	assert.equal(printOf(prepared, 'head', 'api'), 'two');
	assert.ok(server.requests.every(({ path }) => path.startsWith('/acme/data.git/')));
	await server.close();
	const again = await setting.prepare('v2', 'v1', [SHOW]);
	assert.equal(printOf(again, 'head', 'api'), 'one');
});

test('an address that only head has is named and not followed', async (t) => {
	const { server, cwd, shas, setting } = await hosted(t);
	link(cwd, 'v1', 'vendor/data', shas.one, moduleOf(`${server.url}/acme/data.git`));
	link(cwd, 'v2', 'vendor/data', shas.two, moduleOf(`${server.url}/other/data.git`));
	const moved = await setting.prepare('v1', 'v2', [SHOW]);
	assert.equal(printOf(moved, 'head', 'api'), 'two', 'the address of base for this path has the commit, too');
	const more = `${moduleOf(`${server.url}/acme/data.git`)}${moduleOf(`${server.url}/other/data.git`, 'vendor/more')}`;
	git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/more`);
	link(cwd, 'v3', 'vendor/data', shas.two, more);
	const ran = join(makeFolder(t), 'ran');
	const server3 = customServer('.', 'cat app.txt');
	writeFiles(cwd, { 'package.json': { name: 'app', version: '1.0.0', scripts: { preinstall: `touch ${ran}` } } });
	git(cwd, 'add', 'package.json');
	git(cwd, 'commit', '--quiet', '-m', 'v4');
	const error = await userError(setting.prepare('v1', 'HEAD', [server3]));
	assert.equal(error.code, 'checkout-incomplete');
	assert.match(
		error.message,
		/"vendor\/more" at 1111111 \(its address https:\/\/localhost:\d+\/other\/data\.git is not followed, because only head has it in \.gitmodules\)/,
	);
	assert.ok(!server.requests.some(({ path }) => path.startsWith('/other/')), 'nothing was asked of it');
	assert.ok(!existsSync(ran));
});

test('credentials of the repository go to no other owner and no other host', async (t) => {
	const { server, cwd, shas, setting } = await hosted(t);
	const basic = 'basic c2VjcmV0';
	git(cwd, 'config', `http.${server.url}/.extraheader`, `AUTHORIZATION: ${basic}`);
	git(cwd, 'config', `http.https://127.0.0.1:${server.port}/.extraheader`, `AUTHORIZATION: ${basic}`);
	const home = makeFolder(t, {
		'.netrc': 'machine localhost login a password secret\nmachine 127.0.0.1 login a password secret',
	});
	writeFiles(home, {
		'.gitconfig': `[http]\n\textraheader = AUTHORIZATION: ${basic}\n[credential]\n\thelper = "!echo password=x; echo username=y; touch ${home}/asked;"\n`,
	});
	setEnvironment(t, { HOME: home });
	const other = await openSetting(t, { cwd });
	const places = ['/acme/data.git', '/other/data.git'].map((path) => `${server.url}${path}`);
	const paths = ['vendor/one', 'vendor/two', 'vendor/three'];
	const urls = [...places, `https://127.0.0.1:${server.port}/acme/data.git`];
	const shasOf = [shas.one, shas.two, git(cwd, 'hash-object', '-w', '-t', 'tree', '/dev/null')];
	for (const [at, path] of paths.entries()) {
		git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${shasOf[at]},${path}`);
	}
	link(
		cwd,
		'v1',
		'vendor/data',
		shas.one,
		urls.map((url, at) => moduleOf(url, paths[at])).join('') + moduleOf(places[0] ?? ''),
	);
	const error = await userError(other.prepare('v1', 'v1', [SHOW]));
	assert.match(error.message, /"vendor\/three" .*does not give the commit/);
	const sent = (test: (path: string, host: string) => boolean) =>
		new Set(server.requests.filter(({ path, host }) => test(path, host)).map(({ authorization }) => authorization));
	assert.deepEqual(
		sent((path, host) => path.startsWith('/acme/') && host.startsWith('localhost')),
		new Set([basic]),
	);
	assert.deepEqual(
		sent((path) => path.startsWith('/other/')),
		new Set([undefined]),
	);
	assert.deepEqual(
		sent((_, host) => host.startsWith('127.')),
		new Set([undefined]),
	);
	assert.ok(!existsSync(join(home, 'asked')));
	assert.equal(setting.context.cwd, cwd);
});

test('credentials do not follow a redirect', async (t) => {
	const { server, cwd, shas, setting } = await hosted(t);
	git(cwd, 'config', `http.${server.url}/.extraheader`, 'AUTHORIZATION: basic c2VjcmV0');
	server.redirects.set('/acme/moved.git', `https://127.0.0.1:${server.port}/acme/data.git`);
	link(cwd, 'v1', 'vendor/data', shas.one, moduleOf('../moved.git'));
	assert.equal((await userError(setting.prepare('v1', 'v1', [SHOW]))).code, 'checkout-incomplete');
	assert.ok(server.requests.every(({ host }) => host.startsWith('localhost')));
});

/** `.gitmodules` files that would make `git submodule` run or overwrite a file, by the kind of attack. */
const HOSTILE: Readonly<Record<string, (fired: string) => string>> = {
	'a name that leads out of modules': (fired) => moduleOf(`ext::sh -c touch% ${fired}`, 'vendor/data', '../../evil'),
	'an address that is a program': (fired) => moduleOf(`ext::sh -c touch% ${fired}`),
	'an address that is an option (CVE-2018-17456)': (fired) => moduleOf(`-u./${fired}`),
	'an option with a program': (fired) => moduleOf(`--upload-pack=touch ${fired}`),
	'a file': () => moduleOf('file:///etc'),
	'a host that is an option': (fired) => moduleOf(`ssh://-oProxyCommand=touch%20${fired}/x/y`),
	'a line feed in an address (CVE-2020-5260)': () =>
		`[submodule "a"]\n\tpath = vendor/data\n\turl = "https://localhost/x\\nhost=evil"\n`,
	'a path that is an option': (fired) => moduleOf(`-u./${fired}`, '-u/data'),
	'no text of git': () => '\0[[[submodule\nurl',
	'an include of another file': (fired) => `[include]\n\tpath = ${fired}\n`,
};

test('a hostile .gitmodules starts nothing and writes nothing', async (t) => {
	const { data } = withBump(t);
	for (const [attack, modules] of Object.entries(HOSTILE)) {
		const cwd = makeFolder(t);
		const fired = join(makeFolder(t), 'fired');
		const path = attack.includes('path that') ? '-u/data' : 'vendor/data';
		link(cwd, 'v1', path, git(data, 'rev-parse', 'd1'), modules(fired));
		const error = await userError((await openSetting(t, { cwd })).prepare('v1', 'v1', [WHEREVER]));
		assert.equal(error.code, 'checkout-incomplete', attack);
		assert.ok(!existsSync(fired), attack);
		assert.deepEqual(
			readdirSync(join(cwd, '.git')).filter((name) => /evil|modules/.test(name)),
			[],
			attack,
		);
	}
});

test('settings, commands and hooks for submodules have no effect', async (t) => {
	const { cwd } = withBump(t);
	const fired = join(makeFolder(t), 'fired');
	const modules = readFileSync(join(cwd, '.gitmodules'), 'utf8');
	commit(cwd, 'v3', { '.gitmodules': `${modules}\tupdate = !touch ${fired}\n\tbranch = --upload-pack=x\n` });
	git(cwd, 'config', 'submodule.vendor/data.update', `!touch ${fired}`);
	for (const hooks of ['.git/hooks', '.git/modules/vendor/data/hooks']) {
		mkdirSync(join(cwd, hooks), { recursive: true });
		for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction']) {
			writeFileSync(join(cwd, hooks, hook), `#!/bin/sh\ntouch ${fired}\n`, { mode: 0o755 });
		}
	}
	const prepared = await (await openSetting(t, { cwd })).prepare('v1', 'v3', [SHOW]);
	assert.equal(printOf(prepared, 'head', 'api'), 'two');
	assert.ok(!existsSync(fired));
});

/** Writes a tree that git would refuse to create. */
function makeTree(cwd: string, entries: readonly (readonly [string, string, string])[]): string {
	const body = entries.flatMap(([mode, name, hash]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')]);
	const args = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
	return execFileSync('git', args, { cwd, input: Buffer.concat(body), encoding: 'utf8' }).trim();
}

test('trees with a link on the way to a submodule lead nowhere (as in CVE-2024-32002)', async (t) => {
	const { cwd } = withBump(t);
	const victim = makeFolder(t, { 'kept.txt': 'kept' });
	const sha = git(cwd, 'rev-parse', 'v1:vendor/data');
	const target = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd, input: victim, encoding: 'utf8' }).trim();
	const modules = execFileSync('git', ['hash-object', '-w', '--stdin'], {
		cwd,
		input: moduleOf('https://localhost:1/x/y', 'a/hooks', 'vendor/data'),
		encoding: 'utf8',
	}).trim();
	const inner = makeTree(cwd, [['160000', 'hooks', sha]]);
	const trees = [
		makeTree(cwd, [
			['100644', '.gitmodules', modules],
			['120000', 'a', target],
			['40000', 'a', inner],
		]),
		makeTree(cwd, [
			['100644', '.gitmodules', modules],
			['40000', 'a', inner],
			['120000', 'a', target],
		]),
		makeTree(cwd, [
			['100644', '.gitmodules', modules],
			['40000', '.git', inner],
		]),
		makeTree(cwd, [
			['100644', '.gitmodules', modules],
			['40000', '..', inner],
		]),
		makeTree(cwd, [
			['120000', '.gitmodules', target],
			['40000', 'a', inner],
		]),
	];
	const setting = await openSetting(t, { cwd });
	for (const [at, tree] of trees.entries()) {
		const head = git(cwd, 'commit-tree', '-m', 'evil', tree);
		const ending = await setting.prepare('v1', head, [WHEREVER]).then(
			() => 'prepared',
			(error) => error.code,
		);
		assert.match(ending, /^(?:prepared|checkout-incomplete|checkout-failed)$/, `${at}`);
		assert.deepEqual(readdirSync(victim), ['kept.txt'], `${at}`);
		assert.equal(readFileSync(join(cwd, 'app.txt'), 'utf8'), 'app');
	}
});

test('a build that replaces a submodule by a link harms nothing behind it', async (t) => {
	const { cwd } = withBump(t);
	const victim = makeFolder(t);
	commit(victim, 'kept', { 'table.txt': 'kept' });
	const prepare = `rm -rf vendor && mkdir vendor && ln -s ${victim} vendor/data`;
	await (await openSetting(t, { cwd })).prepare('v1', 'v2', [SHOW], { prepare });
	assert.ok(existsSync(join(victim, '.git/HEAD')));
});
