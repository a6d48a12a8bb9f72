/** Settings of a job under which a comparison cannot work. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { INITIAL_WORKFLOWS } from '../../src/init/initial-workflow.ts';
import type { Service, Wanted } from '../../src/init/workflows/check-job.ts';
import { checkWorkflows } from '../../src/init/workflows/check-workflows.ts';
import { listPins } from '../../src/init/workflows/list-pins.ts';
import { findNeededService } from '../../src/init/workflows/needed-service.ts';

const FILE = '.github/workflows/bench.yml';
const NO_SERVICE: Wanted = { budgetSeconds: 600, service: null };
const DATABASE: Service = { name: 'PostgreSQL', where: 'benchgate.yml:5', isSure: true };
const WITH_DATABASE: Wanted = { budgetSeconds: 600, service: DATABASE };

/** A job with these lines before its steps, and these inputs. */
function jobOf(keys: readonly string[], inputs: readonly string[] = [], event = 'pull_request', before = ''): string {
	const lines = [
		`on: ${event}`,
		'permissions: { contents: read, pull-requests: write, checks: write }',
		'jobs:',
		'  bench:',
		...keys.map((line) => `    ${line}`),
		'    steps:',
		'      - uses: actions/checkout@v7',
		'        with: { fetch-depth: 0 }',
		...(before === '' ? [] : [`      - ${before}`]),
		'      - uses: benchgate/benchgate@v0',
		...(inputs.length > 0 ? ['        with:', ...inputs.map((line) => `          ${line}`)] : []),
	];
	return `${lines.join('\n')}\n`;
}

const LINUX = 'runs-on: ubuntu-latest';
const NODES = 'strategy: { matrix: { node: [22, 24] } }';
const KEYS = ['comment-key: "${{ matrix.node }}"', 'artifact-name: "benchgate-${{ matrix.node }}"'];
const RUNTIME = 'runtime: "node@${{ matrix.node }}"';

async function find(text: string, wanted = NO_SERVICE): Promise<string[]> {
	const repository = { workflows: [{ file: FILE, text }], read: async () => null, isLinked: async () => false };
	return (await checkWorkflows(repository, wanted)).map(({ kind, text: found }) => `${kind} ${found}`);
}

const CASES: readonly (readonly [string, string, Wanted, readonly RegExp[]])[] = [
	['nothing', jobOf([LINUX]), NO_SERVICE, []],
	[
		'a time limit below the budget',
		jobOf([LINUX, 'timeout-minutes: 5']),
		NO_SERVICE,
		[/^problem .*bench\.yml:6 \(job bench\) ends the job after 5 min, which cuts off a budget of 10 min/],
	],
	[
		'a time limit that leaves no time to build',
		jobOf([LINUX, 'timeout-minutes: 10']),
		NO_SERVICE,
		[/^problem .*10 min/],
	],
	['a time limit with room', jobOf([LINUX, 'timeout-minutes: 12']), NO_SERVICE, []],
	['a limit for a smaller budget', jobOf([LINUX, 'timeout-minutes: 5'], ['budget: 90s']), NO_SERVICE, []],
	['a budget beyond the limit', jobOf([LINUX, 'timeout-minutes: 45'], ['budget: 1h']), NO_SERVICE, [/budget of 1 h/]],
	['a computed limit', jobOf([LINUX, 'timeout-minutes: ${{ vars.LIMIT }}']), NO_SERVICE, []],
	['no usable config', jobOf([LINUX, 'timeout-minutes: 5']), { ...NO_SERVICE, budgetSeconds: null }, []],
	[
		'paths',
		jobOf([LINUX], [], '{ pull_request: { paths: ["src/**"] } }'),
		NO_SERVICE,
		[/^note .*bench\.yml:1 \(job bench\) has paths: on pull_request\. If its check is required/],
	],
	['paths of a push', jobOf([LINUX], [], '{ pull_request: {}, push: { paths: ["src/**"] } }'), NO_SERVICE, []],
	[
		'Windows',
		jobOf(['runs-on: windows-2025']),
		NO_SERVICE,
		[/^problem .*bench\.yml:5 \(job bench\) runs on windows-2025, where benchgate does not run$/],
	],
	[
		'Windows in a matrix',
		jobOf(
			['strategy: { matrix: { os: [ubuntu-latest, windows-latest] } }', 'runs-on: "${{ matrix.os }}"'],
			['comment-key: "${{ matrix.os }}"', 'artifact-name: "benchgate-${{ matrix.os }}"'],
		),
		NO_SERVICE,
		[/^problem .*runs on windows-latest/],
	],
	[
		'Windows that only another step meets',
		jobOf([LINUX, 'strategy: { matrix: { os: [windows-latest] } }'], [RUNTIME.replace('node }}', 'os }}')]),
		NO_SERVICE,
		[],
	],
	[
		'one comment for a whole matrix',
		jobOf([LINUX, NODES], [RUNTIME]),
		NO_SERVICE,
		[/^problem .*bench\.yml:6 \(job bench\) gives all jobs of its matrix the same comment-key and artifact-name/],
	],
	['one artifact', jobOf([LINUX, NODES], [RUNTIME, KEYS[0] ?? '']), NO_SERVICE, [/the same artifact-name, so/]],
	['a comment for each job', jobOf([LINUX, NODES], [RUNTIME, ...KEYS]), NO_SERVICE, []],
	['a matrix of one job', jobOf([LINUX, NODES.replace(', 24', '')], [RUNTIME]), NO_SERVICE, []],
	[
		'a matrix that nothing reads',
		jobOf([LINUX, NODES], KEYS),
		NO_SERVICE,
		[/^note .*bench\.yml:6 \(job bench\) has node in its matrix, and nothing but a name reads matrix\.node/],
	],
	[
		'a matrix that a step reads',
		jobOf(
			[LINUX, NODES],
			KEYS,
			'pull_request',
			'{ uses: actions/setup-node@v7, with: { node-version: "${{ matrix.node }}" } }',
		),
		NO_SERVICE,
		[],
	],
	[
		'a database that the job does not start',
		jobOf([LINUX]),
		WITH_DATABASE,
		[/^problem .*benchgate\.yml:5 needs PostgreSQL, and the job starts none$/],
	],
	['a database in a container', jobOf([LINUX, 'services: { db: { image: "postgres:17" } }']), WITH_DATABASE, []],
	[
		'a database that a step starts',
		jobOf([LINUX], [], 'pull_request', 'run: sudo systemctl start postgresql'),
		WITH_DATABASE,
		[],
	],
	['a machine of its own', jobOf(['runs-on: [self-hosted, bench]']), WITH_DATABASE, []],
	[
		'a job that is never red',
		jobOf([LINUX, 'continue-on-error: true']),
		NO_SERVICE,
		[/^note .*has continue-on-error: true, so a slowdown leaves the job green$/],
	],
	['a report alone', jobOf([LINUX, 'continue-on-error: true'], ['gate: advisory']), NO_SERVICE, []],
];

for (const [label, text, wanted, expected] of CASES) {
	test(`a job with ${label}`, async () => {
		const findings = await find(text, wanted);
		if (expected.length === 0) assert.deepEqual(findings, [`ok ${FILE}`]);
		else assert.equal(findings.length, expected.length, findings.join('\n'));
		for (const [at, pattern] of expected.entries()) assert.match(findings[at] ?? '', pattern);
	});
}

test('a reusable workflow has no services, and its own limit', async () => {
	const workflows = INITIAL_WORKFLOWS.map(({ file, text }) => ({ file, text }));
	const repository = { workflows, read: async () => null, isLinked: async () => false };
	const of = async (wanted: Wanted) => (await checkWorkflows(repository, wanted)).map(({ text }) => text);
	assert.match((await of(WITH_DATABASE)).join('\n'), /benchmark\.yml can start none$/);
	assert.match((await of({ budgetSeconds: 45 * 60, service: null })).join('\n'), /after 45 min, which cuts off/);
	const perhaps = { ...WITH_DATABASE, service: { ...DATABASE, where: 'package.json', isSure: false } };
	const [finding] = await checkWorkflows(repository, perhaps);
	assert.equal(finding?.kind, 'note');
	assert.match(finding?.text ?? '', /package\.json depends on a client of PostgreSQL/);
});

const CONFIG = (line: string) => ({ file: 'benchgate.yml', text: `servers:\n  - name: api\n    ${line}\n` });

test('a needed database is found in commands, addresses and dependencies, and not in comments', () => {
	const needed = (line: string, manifest: string | null = null) =>
		findNeededService({ config: CONFIG(line), manifest });
	const sure = (name: string) => ({ name, where: 'benchgate.yml:3', isSure: true });
	assert.deepEqual(needed('start: createdb "${slot}"'), sure('PostgreSQL'));
	assert.deepEqual(needed('env: { DATABASE_URL: "postgresql://app:app@localhost/app" }'), sure('PostgreSQL'));
	assert.deepEqual(needed('env: { DB: "mysql+pymysql://root@127.0.0.1:3306/app" }'), sure('MySQL or MariaDB'));
	assert.deepEqual(needed('env: { CACHE: "redis://localhost:6379" }'), sure('Redis'));
	assert.deepEqual(needed('start: mongorestore dump'), sure('MongoDB'));
	for (const line of [
		'# start: createdb "${slot}"',
		'env: { DATABASE_URL: "postgres://db.example.com/app" }',
		'start: initdb -D "${data}" && pg_ctl start && createdb app',
	]) {
		assert.equal(needed(line), null, line);
	}
	const manifest = '{"dependencies":{"pg":"8.0.0"}}';
	assert.deepEqual(needed('command: node .', manifest), { name: 'PostgreSQL', where: 'package.json', isSure: false });
	assert.equal(needed('command: node .', '{"devDependencies":{"pg":"8.0.0"}}'), null);
	assert.equal(needed('command: node .', 'no JSON'), null);
	for (const [file, text, name] of [
		['go.mod', 'require (\n\tgithub.com/jackc/pgx/v5 v5.7.0\n)\n', 'PostgreSQL'],
		['go.mod', 'require github.com/lib/pq v1.2.0 // indirect\n', null],
		['requirements.txt', '# psycopg2\nPyMySQL==1.1.1\n'.toLowerCase(), 'MySQL or MariaDB'],
		['requirements.txt', 'redis==5.0.0\n', 'Redis'],
		['pyproject.toml', 'dependencies = ["motor>=3"]\n', 'MongoDB'],
		['pom.xml', '<groupId>org.postgresql</groupId>', 'PostgreSQL'],
		['Cargo.toml', 'axum = "0.8"\n', null],
	] as const) {
		const service = findNeededService({ config: CONFIG('command: ./api'), manifest: null, others: [{ file, text }] });
		assert.deepEqual(service, name === null ? null : { name, where: file, isSure: false }, text);
	}
});

test('a tag is pinned to its commit, and without an answer the message has the command', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-pins-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const repository = join(folder, 'acme/tool');
	const git = (...args: readonly string[]) =>
		execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}).trim();
	execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
	git('commit', '--quiet', '--allow-empty', '-m', 'one');
	git('tag', '-a', 'v1', '-m', 'one');
	const text = [
		'# - uses: acme/tool@v1',
		'- uses: acme/tool@v1',
		'- { uses: "acme/tool/sub@v1" }',
		'- uses: acme/gone@v2 # v2',
		`- uses: acme/pinned@${'a'.repeat(40)}`,
		'- uses: ./',
		'- uses: $/.github/action',
		'- uses: docker://alpine@sha256:abc',
	].join('\n');
	const server = `file://${folder}`;
	const notes = await listPins([{ file: FILE, text }], server);
	assert.deepEqual(
		notes.map(({ kind, text: found, remedy }) => [kind, found, remedy]),
		[
			[
				'note',
				`${FILE}:2, ${FILE}:3 use acme/tool@v1, which can come to name another commit`,
				`pin it: @${git('rev-parse', 'v1^{commit}')} # v1`,
			],
			[
				'note',
				`${FILE}:4 uses acme/gone@v2, which can come to name another commit`,
				`replace @v2 by @ and the commit that this command prints: git ls-remote ${server}/acme/gone v2`,
			],
		],
	);
});
