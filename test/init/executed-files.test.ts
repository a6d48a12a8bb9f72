/** Files of its checkout that a measuring workflow executes before, beside and after benchgate. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { INITIAL_WORKFLOWS } from '../../src/init/initial-workflow.ts';
import { type Executed, findExecuted, isWithin } from '../../src/init/workflows/executed-files.ts';

type Texts = Readonly<Record<string, string>>;
/** A GitHub expression. */
const of = (inner: string) => `\${{ ${inner} }}`;
const executedIn = (text: string, files: Texts = {}, { links = [] as readonly string[], isOwn = false } = {}) =>
	findExecuted(text, {
		read: async (path) => files[path] ?? null,
		isLinked: async (path) => links.some((link) => isWithin(path, [link])),
		isOwn,
	});
const BENCHGATE = { uses: 'benchgate/benchgate@v0' };
const jobOf = (steps: readonly object[], job: object = {}, workflow: object = {}) =>
	stringify({ on: 'pull_request', ...workflow, jobs: { measure: { ...job, steps: [...steps, BENCHGATE] } } });
const run = (script: string, files: Texts = {}, step: object = {}) =>
	executedIn(jobOf([{ uses: 'actions/checkout@v7' }, { run: script, ...step }]), files);

const NOTHING: Executed = { places: [], folders: [], packages: false, unread: [], named: false };
const isOpen = ({ unread }: Executed) => unread.length > 0;

test('the workflows of init, and those that they call, execute nothing of a pull request', async () => {
	const [measure] = INITIAL_WORKFLOWS;
	assert.deepEqual(await executedIn(measure?.text ?? ''), NOTHING);
	const called = readFileSync(new URL('../../.github/workflows/benchmark.yml', import.meta.url), 'utf8');
	const { unread, packages } = await executedIn(called, {}, { isOwn: true });
	assert.deepEqual({ unread, packages }, { unread: [], packages: false });
});

test('no workflow of the documentation executes anything of a pull request', async () => {
	const pages = ['README', 'docs/action', 'docs/fork-pull-requests', 'docs/shards', 'docs/tutorials/service-database'];
	for (const page of pages) {
		const text = readFileSync(new URL(`../../${page}.md`, import.meta.url), 'utf8');
		const blocks = [...text.matchAll(/^ *```yaml\n(.*?)^ *```/gms)].map(([, block = '']) => block);
		const workflows = blocks.filter((block) => /^jobs:/m.test(block));
		assert.ok(workflows.length > 0, page);
		for (const workflow of workflows) assert.deepEqual(await executedIn(workflow), NOTHING, workflow);
	}
});

for (const script of [
	'echo "Node $(true" | true'.replace('$(true', '24'),
	'sudo apt-get update\nsudo apt-get install -y --no-install-recommends libpq-dev=1.2',
	'docker run -d --rm --name db -p 5432:5432 -e POSTGRES_PASSWORD=secret postgres:16-alpine',
	'until pg_isready -h localhost; do sleep 1; done # wait\n',
	'psql -h localhost -U postgres -c "create database app" > /dev/null 2>&1',
	'sudo systemctl start postgresql && sudo sysctl -w net.core.somaxconn=4096',
	'if [ -n "$CI" ]; then echo yes; fi',
	'lscpu >> $GITHUB_STEP_SUMMARY',
	'curl -fsS --retry 5 http://localhost:9200/_cluster/health',
	`echo ${of('matrix.node')}`,
]) {
	test(`executes nothing of the checkout: ${script}`, async () => assert.deepEqual(await run(script), NOTHING));
}

for (const script of [
	'make db',
	'node ci/seed.mjs',
	'npm run build',
	'npx prisma migrate deploy',
	'docker compose up -d',
	'docker build -t app .',
	'docker run -v ./db:/docker-entrypoint-initdb.d postgres',
	'docker run -d --env-file ci/env postgres',
	'psql -f db/schema.sql',
	'psql -fschema.sql',
	'psql < db/schema.sql',
	'cat db/schema.sql | psql',
	"psql -c '\\i schema.sql'",
	'eval "$SETUP"',
	'bash -c "ci/x.sh"',
	'bash $SCRIPT',
	'curl -fsS https://example.com/x | bash',
	'$RUNNER',
	'echo $(ci/version.sh)',
	'echo `ci/version.sh`',
	'cat <<EOF\nx\nEOF',
	'(cd ci && ls)',
	'f() { ls; }\nf',
	'echo "NODE_OPTIONS=--require ./ci/hook.cjs" >> $GITHUB_ENV',
	'echo "$PWD/bin" >> "$GITHUB_PATH"',
	'echo x &> ci.env',
	'export PATH=./bin:$PATH',
	'export PATH+=:bin',
	"export $'PATH=bin'",
	'printf -v PATH bin',
	"test -v 'a[$(ci/x.sh)]'",
	'CURL_HOME=ci curl -fsS http://localhost:9200',
	'PSQLRC=rc psql -h localhost',
	'NODE_OPTIONS="-r ./x.js" npm ci --ignore-scripts',
	'pip install -r requirements.txt',
	'go run ./ci/db',
	'cd "$FOLDER"\nnpm ci --ignore-scripts',
	'npm ci --ignore-scripts --prefix x',
	'npm install ./tools/x',
	'npm install tool.tgz',
	'yarn install',
	'git config core.hooksPath .githooks',
	'source ci/*.sh',
	'sudo -E make',
	`echo ${of('github.head_ref')}`,
	`echo ${of('github.event.pull_request.title')}`,
	'cp ci/git /usr/local/bin/git',
	'echo "unclosed',
	'xargs < list',
	'echo "::add-path::ci/bin"',
	'docker start -f ./x',
	'cat db/schema.sql |\npsql',
	'cat db/schema.sql |& psql',
	'bash ci/../x.sh',
	'SCHEMA=ci/../schema.sql',
	'cd\nls',
	'cd ""\nls',
	'if [ -n "$CI" ]; then cd ci; fi\nls',
	'while true; do\ncd ci\ndone\nls',
	'test -n "$CI" && cd ci\nls',
	'test -n "$CI" &&\ncd ci\nls',
	'cd ci || true\nls',
	'cd ci | cat\nls',
	'ls | cd ci\nls',
	'cd ci &\nls',
	'sudo cd ci\nls',
]) {
	test(`may execute anything: ${JSON.stringify(script)}`, async () => {
		const executed = await run(script);
		assert.ok(isOpen(executed), JSON.stringify(executed));
		assert.ok(executed.unread.every((step) => !step.includes('\n')));
	});
}

test('a script is read in turn, wherever it runs, and its files count', async () => {
	const files = {
		'ci/start.sh': '#!/usr/bin/env bash\nset -eu\n. ./env.sh\n./db/wait.sh 5432 data/seed.sql\n',
		'ci/env.sh': 'export DATABASE_URL=postgres://localhost/app SCHEMA=db/schema.sql\n',
		'ci/db/wait.sh': '#!/bin/sh\nwhile ! pg_isready; do sleep 1; done\n',
	};
	const places = ['ci/start.sh', 'ci/db/wait.sh', 'ci/data/seed.sql', 'ci/env.sh', 'ci/db/schema.sql'];
	for (const [script, step] of [
		['cd ci && bash -eu start.sh', {}],
		['./start.sh', { 'working-directory': 'ci' }],
		['sh ./start.sh', { 'working-directory': of('github.workspace').concat('/ci') }],
	] as const) {
		const executed = await run(script, files, step);
		assert.deepEqual(executed.unread, [], script);
		assert.deepEqual(
			[...executed.places].sort(),
			places
				.filter((place) => place !== 'ci/db/schema.sql')
				.concat('db/schema.sql')
				.sort(),
			script,
		);
	}
	const usual = await executedIn(
		jobOf([{ run: './start.sh' }], {}, { defaults: { run: { 'working-directory': 'ci' } } }),
		files,
	);
	assert.ok(usual.places.includes('ci/db/wait.sh'));
	for (const [text, path] of [
		['#!/usr/bin/env node\nrequire("../lib/db")', 'ci/x.sh'],
		['make db', 'ci/x.sh'],
		['\u0000\u0001ELF', 'ci/x.sh'],
	] as const) {
		const executed = await run('ci/x.sh', { [path]: text });
		assert.ok(isOpen(executed) && executed.places.includes(path), text);
	}
	assert.ok(isOpen(await run('ci/none.sh')));
	assert.ok(!isOpen(await run('ci/x.sh', { 'ci/x.sh': 'bash ci/x.sh\n' })), 'a script that runs itself is read once');
});

const MANIFEST = { name: 'x', dependencies: { express: '^5.0.0' }, scripts: { test: 'node --test' } };
const lock = (...packages: readonly string[]) =>
	JSON.stringify({
		packages: Object.fromEntries(
			['', ...packages].map((name) => [name && `node_modules/${name}`, (name && { hasInstallScript: true }) || {}]),
		),
	});
const installed = (manifest: object, more: Texts = {}) =>
	run('npm ci --no-audit', { 'package.json': JSON.stringify(manifest), 'package-lock.json': lock('esbuild'), ...more });

test('an install counts its manifests, and everything if it runs scripts with unknown content', async () => {
	assert.deepEqual(await run('npm ci --ignore-scripts'), { ...NOTHING, packages: true });
	assert.deepEqual(await run('pnpm install --frozen-lockfile --ignore-scripts'), { ...NOTHING, packages: true });
	assert.deepEqual(await run('npm install -g npm@11'), { ...NOTHING, packages: true });
	assert.deepEqual(await installed(MANIFEST), { ...NOTHING, packages: true });
	const open: readonly (readonly [object, Texts?])[] = [
		[{ ...MANIFEST, scripts: { postinstall: 'node build.js' } }],
		[{ ...MANIFEST, scripts: { prepare: 'husky' } }],
		[{ ...MANIFEST, workspaces: ['packages/*'] }],
		[{ ...MANIFEST, devDependencies: { own: 'file:tools/own' } }],
		[MANIFEST, { 'package-lock.json': lock('puppeteer') }],
		[MANIFEST, { 'package-lock.json': '{' }],
		[MANIFEST, { 'binding.gyp': '{}' }],
		[MANIFEST, { '.npmrc': 'script-shell=./ci/shell.sh\n' }],
		[{}],
	];
	for (const [manifest, more] of open) {
		const executed = await installed(manifest, more);
		assert.ok(isOpen(executed) && executed.packages, JSON.stringify([manifest, more]));
	}
	const below = {
		'package.json': '{"workspaces":["bench"]}',
		'bench/package.json': JSON.stringify(MANIFEST),
		'bench/package-lock.json': lock(),
	};
	assert.ok(isOpen(await run('cd bench && npm ci', below)), 'a workspace is installed with all that is above it');
	assert.ok(isOpen(await run('pnpm install --ignore-scripts', { '.pnpmfile.cjs': 'module.exports = {}' })));
});

/** Jobs with harmless steps, and settings that make them execute files of the checkout. */
const SETTINGS: readonly (readonly [string, string, readonly string[] | 'anything'])[] = [
	['a shell of its own', jobOf([{ run: 'ls', shell: 'node {0}' }]), 'anything'],
	['a shell from the checkout', jobOf([{ run: 'ls', shell: './ci/shell.sh {0}' }]), 'anything'],
	['the usual shell', jobOf([{ run: 'ls' }], { defaults: { run: { shell: 'python' } } }), 'anything'],
	['a login shell', jobOf([{ run: 'ls', shell: 'bash -leo pipefail {0}' }]), []],
	['an unknown folder', jobOf([{ run: 'ls', 'working-directory': of('github.head_ref') }]), 'anything'],
	['NODE_OPTIONS of our own step', jobOf([{ ...BENCHGATE, env: { NODE_OPTIONS: '--import ./ci/x.mjs' } }]), 'anything'],
	['NODE_OPTIONS without a file', jobOf([], { env: { NODE_OPTIONS: '--max-old-space-size=4096' } }), []],
	['BASH_ENV of the workflow', jobOf([], {}, { env: { BASH_ENV: 'ci/env.sh' } }), 'anything'],
	['PATH of the job', jobOf([], { env: { PATH: `${of('github.workspace')}/bin:/usr/bin` } }), 'anything'],
	['NODE_OPTIONS of a matrix', jobOf([], { env: { NODE_OPTIONS: of('matrix.options') } }), 'anything'],
	['a title as environment', jobOf([], { env: { TITLE: of('github.event.pull_request.title') } }), 'anything'],
	[
		'a file as environment',
		jobOf([], { env: { SCHEMA: 'db/schema.sql', URL: 'postgres://db:5432/x' } }),
		['db/schema.sql'],
	],
	['a secret', jobOf([{ ...BENCHGATE, env: { GITHUB_TOKEN: of('secrets.TOKEN'), DB: of('matrix.db') } }]), []],
	[
		'a service container',
		jobOf([], {
			services: {
				db: {
					image: 'postgres:16',
					ports: ['5432:5432'],
					env: { POSTGRES_PASSWORD: 'x' },
					options: '--health-cmd pg_isready',
				},
			},
		}),
		[],
	],
	[
		'a service with files',
		jobOf([], {
			services: { db: { image: 'x', volumes: [`${of('github.workspace')}/db:/docker-entrypoint-initdb.d`] } },
		}),
		['db'],
	],
	[
		'a service with the checkout',
		jobOf([], { services: { db: { image: 'x', volumes: [`${of('github.workspace')}:/app`] } } }),
		'anything',
	],
	['an image that a title names', jobOf([], { container: of('github.event.pull_request.title') }), 'anything'],
	['a container', jobOf([], { container: { image: 'node:24', options: '--cpus 2' } }), []],
	[
		'an env-file of a container',
		jobOf([], { container: { image: 'node:24', options: '--env-file ci/env' } }),
		['ci/env'],
	],
	['a cache', jobOf([{ uses: 'actions/cache@v5', with: { path: 'node_modules', key: 'x' } }]), 'anything'],
	['a cache of setup-node', jobOf([{ uses: 'actions/setup-node@v6', with: { cache: 'npm' } }]), 'anything'],
	['a cache of setup-go', jobOf([{ uses: 'actions/setup-go@v6', with: { 'go-version': 1.24 } }]), 'anything'],
	[
		'a file with a version',
		jobOf([{ uses: 'actions/setup-node@v6', with: { 'node-version-file': '.nvmrc', 'package-manager-cache': false } }]),
		['.nvmrc'],
	],
	['a checkout elsewhere', jobOf([{ uses: 'actions/checkout@v7', with: { path: 'src' } }]), 'anything'],
	[
		'a checkout of head',
		jobOf([{ uses: 'actions/checkout@v7', with: { ref: of('github.event.pull_request.head.sha'), 'fetch-depth': 0 } }]),
		[],
	],
	[
		'a checkout of a fork elsewhere',
		jobOf([
			{
				uses: 'actions/checkout@v7',
				with: { repository: of('github.event.pull_request.head.repo.full_name'), path: 'x' },
			},
		]),
		'anything',
	],
	['another action', jobOf([{ uses: 'ruby/setup-ruby@v1', with: { 'bundler-cache': true } }]), 'anything'],
	['a step after benchgate', stringify({ jobs: { measure: { steps: [BENCHGATE, { run: 'npm test' }] } } }), 'anything'],
	[
		'another job',
		stringify({ jobs: { measure: { steps: [BENCHGATE] }, test: { steps: [{ run: 'npm test' }] } } }),
		'anything',
	],
	[
		'a workflow of others',
		stringify({ jobs: { measure: { steps: [BENCHGATE] }, lint: { uses: 'o/r/.github/workflows/x.yml@v1' } } }),
		'anything',
	],
];

for (const [label, text, places] of SETTINGS) {
	test(`${label} executes ${places === 'anything' ? places : places.join() || 'nothing'}`, async () => {
		const executed = await executedIn(text);
		if (places === 'anything') assert.ok(isOpen(executed), JSON.stringify(executed));
		else assert.deepEqual(executed, { ...NOTHING, places, named: label === 'a checkout of head' });
	});
}

test('setup-node restores a cache by itself if the manifest names a package manager', async () => {
	const text = jobOf([{ uses: 'actions/setup-node@v6', with: { 'node-version': 24 } }]);
	assert.deepEqual(await executedIn(text, { 'package.json': '{"name":"x"}' }), { ...NOTHING, packages: true });
	assert.ok(isOpen(await executedIn(text, { 'package.json': '{"packageManager":"npm@11.0.0"}' })));
});

test('composite actions and workflows of the repository are read in turn', async () => {
	const files = {
		'.github/workflows/measure.yml': jobOf([{ uses: './tools/set-up' }]),
		'tools/set-up/action.yml': stringify({
			runs: { using: 'composite', steps: [{ run: 'ci/db.sh', shell: 'bash' }, { run: 'ls' }] },
		}),
		'ci/db.sh': 'ls\n',
	};
	const executed = await executedIn(
		stringify({ jobs: { measure: { uses: './.github/workflows/measure.yml' } } }),
		files,
	);
	assert.deepEqual(executed.places, ['.github/workflows/measure.yml', 'tools/set-up', 'ci/db.sh']);
	assert.deepEqual(executed.unread, ['run: ls'], 'a step of an action without a shell');
});

test('texts that are no workflow may execute anything, and long ones are read at once', async () => {
	for (const text of ['', 'jobs: { a: 1, b: { steps: 2 } }']) assert.deepEqual(await executedIn(text), NOTHING);
	for (const text of ['x', 'jobs: [', 'jobs: {}\njobs: {}'])
		assert.deepEqual((await executedIn(text)).unread, ['the workflow, which cannot be read'], text);
	for (const script of [
		'"'.repeat(200_000),
		'\\'.repeat(200_001),
		`echo ${'$'.repeat(200_000)}`,
		'ls;'.repeat(100_000),
		"'$(".repeat(90_000),
		`echo ${'='.repeat(200_000)}`,
	]) {
		assert.ok(await run(script));
	}
});

test('a script that changes the folder of the one that sources it makes the rest unreadable', async () => {
	const files = { 'enter.sh': 'cd ci\n', 'x.sh': 'ls\n', 'ci/x.sh': 'make\n' };
	assert.deepEqual((await run('bash enter.sh\nbash x.sh', files)).unread, []);
	for (const script of ['. ./enter.sh\nbash x.sh', 'bash enter.sh\nsource enter.sh\nbash x.sh'])
		assert.deepEqual((await run(script, files)).unread, ['enter.sh: cd'], script);
});

test('a path through a link may be anything', async () => {
	const files = { 'ci/x.sh': 'ls\n' };
	const text = jobOf([{ run: 'bash ./x.sh db/schema.sql', 'working-directory': 'ci' }]);
	assert.deepEqual(await executedIn(text, files), {
		...NOTHING,
		places: ['ci/x.sh', 'ci/db/schema.sql'],
		folders: ['ci'],
	});
	for (const [link, unread] of [
		['ci', ['link: ci/x.sh', 'link: ci/db/schema.sql', 'link: ci']],
		['ci/x.sh', ['link: ci/x.sh']],
		['ci/db', ['link: ci/db/schema.sql']],
		['other', []],
	] as const)
		assert.deepEqual((await executedIn(text, files, { links: [link] })).unread, unread, link);
});

test('the action at the top of a repository is benchgate only in its own repository', async () => {
	for (const [uses, path] of [
		['./', 'action.yml'],
		['$/.github/action', '.github/action/action.yml'],
	] as const) {
		for (const runs of [
			{ using: 'node24', main: 'index.js' },
			{ using: 'docker', image: 'Dockerfile' },
		]) {
			const files = { [path]: stringify({ runs }) };
			assert.deepEqual((await executedIn(jobOf([{ uses }]), files)).unread, [`uses: ${uses}`]);
			assert.deepEqual((await executedIn(jobOf([{ uses }]), files, { isOwn: true })).unread, []);
		}
	}
});
