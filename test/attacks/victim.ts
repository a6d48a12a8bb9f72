/**
 * The attacked repository: a small service with a config that gates its pull requests.
 *
 *     before-config ── loose-config ── base ── tip   (main)
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runGit } from '../support/act/tiny-framework.ts';
import { type Attack, type HeadFiles, LINK, LOOT, PORTS, type Row } from './attack.ts';

/** Of a report only the status is expected; its body is compared with base. */
const SCENARIOS: Readonly<Record<Row, string>> = {
	fast: `  - name: fast
    request: { method: GET, path: /fast }
    expect: { status: 200, json: { ok: true } }
    load: { connections: 4, pipelining: 1 }
`,
	report: `  - name: report
    request: { method: GET, path: /report }
    expect: { status: 200 }
    load: { connections: 4, pipelining: 1 }
`,
};
export const BOTH: readonly Row[] = ['fast', 'report'];

/** Returns main's config. One round shows a break; main itself is inconclusive, so neutral. */
export function configOf(rows: readonly Row[] = ['fast']): string {
	return configWith(serverAt('api', ''), scenariosOf({ rows }));
}

/** Returns the config of several services, each with scenarios of its own. */
function configOfAll(services: readonly Service[]): string {
	const named = services.map(({ name, attack }) => ({
		name,
		scenarios: scenariosOf(attack).replaceAll('  - name: ', `  - name: ${name}-`),
	}));
	const servers = named.map(({ name, scenarios }) => {
		const names = [...scenarios.matchAll(/^ {2}- name: (.+)$/gm)].map(([, scenario]) => scenario);
		return `${serverAt(name, `${name}/`)}    scenarios: [${names.join(', ')}]\n`;
	});
	return configWith(servers.join(''), named.map(({ scenarios }) => scenarios).join(''));
}

function scenariosOf({ rows = ['fast'], scenario = (text) => text }: Pick<Attack, 'rows' | 'scenario'>): string {
	return rows.map((row) => scenario(SCENARIOS[row])).join('');
}

const serverAt = (name: string, folder: string) => `  - name: ${name}
    command: node server.mjs
    cwd: ${folder}bench
    ready: { path: /fast, timeout: 10s }
`;

function configWith(servers: string, scenarios: string): string {
	return `prepare: node build.mjs
servers:
${servers}scenarios:
${scenarios}threshold: 30%
budget: 1s
warmup: 200ms
seed: 7
skip-unaffected: false
gate: { on-inconclusive: neutral }
`;
}

/** While a service waits, its CPU is free for concurrent tests. Hundreds of answers a second suffice. */
const WAIT_MS = 8;
/**
 * Bytes hashed per request where speed matters: about three times the cost of node:http, in native code, so that its
 * speed does not drift.
 */
const WORK = 60_000;
/** An eighth of the throughput: decided at the first look even on crowded CPUs. */
const SLOW_WORK = 600_000;

/** Delay before an answer. */
const WAITING = { before: '', send: (answer: string) => `setTimeout(() => {${answer}}, ${WAIT_MS});` };
/** Fast enough for hundreds of requests on any machine. */
export const AT_ONCE = { before: '', send: (answer: string) => answer };
const working = (bytes: number) => ({
	before: `import { createHash } from 'node:crypto';\nconst table = Buffer.alloc(${bytes}, 'victim');\n`,
	send: (answer: string) => `createHash('sha512').update(table).digest();${answer}`,
});

/**
 * Returns the service; `first` runs on load, `each` for every request, with `request`, `response`, `answers` in scope.
 */
export function app({ first = '', each = '' } = {}, { before, send } = WAITING): string {
	return `${first}
${before}const routes = { '/fast': { ok: true }, '/report': { rows: [1, 2, 3] } };
let answers = 0;

export function answer(request, response) {
	answers++;
	let body = JSON.stringify(routes[request.url] ?? null);
	let status = 200;
	${each}
	${send(`
		response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
		response.end(body);
	`)}
}
`;
}

const WORKING_APP = app({}, working(WORK));
export const SLOW_APP = app({}, working(SLOW_WORK));

/** Returns the server program; `first` runs before it listens. */
export function server(first = ''): string {
	return `import { createServer } from 'node:http';
import { answer } from '../lib/app.mjs';
${first}
createServer(answer).listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;
}

export const BUILD = "await import('./lib/app.mjs');\n";

/** Forks until it fails, and records the count. */
export const FORK_BOMB = `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
// Enough for the limit, and for a machine.
for (let n = 0; n < 3000; n++) {
	const child = spawn('sleep', ['60'], { stdio: 'ignore' });
	child.unref();
	if (child.pid !== undefined) continue;
	const [error] = await once(child, 'error');
	appendFileSync('${LOOT}/bomb.txt', error.code + ' after ' + n + '\\n');
	break;
}
`;

/** `find.mjs` of a head: lists processes of this run, and ports of other servers. */
export const FIND_RIVAL = `
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
// Other runs on the test machine are not rivals.
const RUN = process.cwd().split('/benchgate-cache')[0] + '/';
const read = (pid, file) => { try { return readFileSync('/proc/' + pid + '/' + file, 'latin1'); } catch { return ''; } };
export function cwdOf(pid) { try { return readlinkSync('/proc/' + pid + '/cwd'); } catch { return ''; } }
export function processes(pattern) {
	return readdirSync('/proc')
		.filter((name) => /^\\d+$/.test(name) && Number(name) !== process.pid)
		.filter((pid) => pattern.test(read(pid, 'cmdline')) && (read(pid, 'cmdline') + cwdOf(pid)).includes(RUN))
		.map(Number);
}
export function listening() {
	let told = [];
	try { told = JSON.parse(readFileSync('${LOOT}/${PORTS}', 'utf8')); } catch {}
	const ports = [...told, ...processes(/server\\.mjs/).map((pid) => Number(/(?:^|\\0)PORT=(\\d+)/.exec(read(pid, 'environ'))?.[1] ?? 0))];
	return [...new Set(ports)].filter((port) => port > 0 && port !== Number(process.env.PORT));
}
`;

const BEFORE: HeadFiles = {
	'build.mjs': BUILD,
	'lib/app.mjs': app(),
	'bench/server.mjs': server(),
};

/** An attack, the service that it attacks, and the folder its code may write to. */
export interface Service {
	/** Of the server; in a repository of several also of its folder. */
	readonly name: string;
	readonly attack: Attack;
	readonly loot: string;
}

export interface Victim {
	readonly folder: string;
	readonly tip: string;
	/** With all attacks. */
	readonly head: string;
	/** The commit that GitHub would check out. */
	readonly merge: string;
}

/** Creates the repository in a new `folder`, with one service at its top or each in a folder of its own. */
export function makeVictim(folder: string, services: readonly [Service, ...Service[]]): Victim {
	const [{ attack: first }, ...others] = services;
	const isShared = others.length > 0;
	const config = isShared
		? configOfAll(services)
		: (first.main?.['benchgate.yml'] ?? configWith(serverAt('api', ''), scenariosOf(first)));
	mkdirSync(folder, { recursive: true });
	const git = (...args: string[]) => runGit(folder, ...args);
	const write = (path: string, text: string | null) => {
		rmSync(join(folder, path), { force: true, recursive: true });
		if (text === null) return;
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		if (text.startsWith(LINK)) symlinkSync(text.slice(LINK.length), join(folder, path));
		else writeFileSync(join(folder, path), text);
	};
	const commit = (message: string, files: HeadFiles): string => {
		for (const [path, text] of Object.entries(files)) write(path, text);
		git('add', '--all');
		git('commit', '--quiet', '--allow-empty', '--message', message);
		return git('rev-parse', 'HEAD');
	};
	const filesOf = (of: (attack: Attack) => HeadFiles): HeadFiles =>
		Object.fromEntries(
			services.flatMap(({ name, attack, loot }) =>
				Object.entries(of(attack)).map(([path, text]) => [
					isShared ? `${name}/${path}` : path,
					text?.replaceAll(LOOT, loot) ?? null,
				]),
			),
		);
	git('init', '--quiet', '--initial-branch=main');
	const before = commit('Begin', {
		'package.json': `${JSON.stringify({ name: 'victim', version: '1.0.0', type: 'module' })}\n`,
		'README.md': 'A service.\n',
		...(isShared && { 'build.mjs': services.map(({ name }) => `await import('./${name}/build.mjs');\n`).join('') }),
		...filesOf(({ measured, main }) => ({ ...BEFORE, ...(measured && { 'lib/app.mjs': WORKING_APP }), ...main })),
	});
	const loose = commit('Measure', { 'benchgate.yml': config.replace('30%', '95%') });
	const base = commit('Hold pull requests to 30 %', { 'benchgate.yml': config });
	const tip = commit('Explain', { 'README.md': 'A service, explained.\n' });
	const origins = { 'before-config': before, 'loose-config': loose };
	git('checkout', '--quiet', '--detach', first.from === undefined ? base : origins[first.from]);
	const head = commit(
		'Improve things',
		filesOf(({ files }) => files),
	);
	git('checkout', '--quiet', '--detach', tip);
	git('merge', '--quiet', '--no-ff', '--strategy-option=theirs', '--message', 'Merge', head);
	return { folder, tip, head, merge: git('rev-parse', 'HEAD') };
}
