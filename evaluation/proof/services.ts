/**
 * Services whose pull request upgrades fourteen packages, one of which is planted with slow code, or changes ten
 * modules, one of which makes more queries. Fixed before the first run.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commit, type Files, writeFiles } from '../../test/prepare/support.ts';
import { filesOfTutorial } from '../../test/support/pages/tutorial.ts';

interface Culprit {
	readonly name: string;
	readonly file: string;
	/** The slow code follows its only occurrence. */
	readonly find: string;
}

/** Versions of base and head. */
const UPGRADES: Readonly<Record<string, readonly [base: string, head: string]>> = {
	accepts: ['1.3.7', '1.3.8'],
	bytes: ['3.1.1', '3.1.2'],
	'content-type': ['1.0.4', '1.0.5'],
	cookie: ['1.0.1', '1.0.2'],
	etag: ['1.8.0', '1.8.1'],
	fresh: ['0.5.1', '0.5.2'],
	'mime-types': ['2.1.34', '2.1.35'],
	ms: ['2.1.2', '2.1.3'],
	picomatch: ['4.0.1', '4.0.2'],
	qs: ['6.13.0', '6.14.0'],
	'range-parser': ['1.2.0', '1.2.1'],
	semver: ['7.6.0', '7.6.3'],
	statuses: ['2.0.1', '2.0.2'],
	vary: ['1.1.1', '1.1.2'],
};

const CULPRITS: readonly Culprit[] = [
	{ name: 'accepts', file: 'index.js', find: 'function Accepts (req) {\n' },
	{ name: 'bytes', file: 'index.js', find: 'function format(value, options) {\n' },
	{ name: 'content-type', file: 'index.js', find: 'function parse (string) {\n' },
	{ name: 'cookie', file: 'dist/index.js', find: 'function parse(str, options) {\n' },
	{ name: 'etag', file: 'index.js', find: 'function etag (entity, options) {\n' },
	{ name: 'fresh', file: 'index.js', find: 'function fresh (reqHeaders, resHeaders) {\n' },
	{ name: 'ms', file: 'index.js', find: 'function parse(str) {\n' },
	{ name: 'qs', file: 'lib/parse.js', find: 'module.exports = function (str, opts) {\n' },
	{ name: 'range-parser', file: 'index.js', find: 'function rangeParser (size, str, options) {\n' },
	{ name: 'vary', file: 'index.js', find: 'function append (header, field) {\n' },
];

const SLOW = 'for (var turns = 0, at = 0; at < 30000; at++) turns = (turns + at) % 1013;\n';

const SERVER = `import { createServer } from 'node:http';
import accepts from 'accepts';
import bytes from 'bytes';
import contentType from 'content-type';
import * as cookie from 'cookie';
import etag from 'etag';
import fresh from 'fresh';
import mime from 'mime-types';
import ms from 'ms';
import picomatch from 'picomatch';
import qs from 'qs';
import rangeParser from 'range-parser';
import semver from 'semver';
import statuses from 'statuses';
import vary from 'vary';

const isScript = picomatch('lib/*.js');
createServer((request, response) => {
	vary(response, 'Accept');
	const body = JSON.stringify({
		types: accepts(request).types(),
		size: bytes.format(123456),
		type: contentType.parse('text/html; charset=utf-8').type,
		cookies: cookie.parse('a=b; c=d'),
		isFresh: fresh({ 'if-none-match': '"a"' }, { etag: '"b"' }),
		mime: mime.lookup('page.html'),
		wait: ms('2 days'),
		isScript: isScript('lib/a.js'),
		query: qs.parse('a[b]=1&c[]=2'),
		range: rangeParser(1000, 'bytes=0-99')[0],
		isNewer: semver.gt('1.2.3', '1.2.2'),
		status: statuses.message[404],
	});
	response.setHeader('etag', etag(body));
	response.setHeader('content-type', 'application/json');
	response.end(body);
}).listen(process.env.PORT, process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;

const CONFIG = `servers:
  - name: app
    command: node server.mjs
    ready: { path: / }
scenarios:
  - name: page
    request: { path: / }
    expect: { status: 200, json: { size: "120.56KB" } }
`;

const MODULES = 10;
/** Another line on each side, which no request runs. */
const moduleText = (number: number, side: 'base' | 'head') =>
	`export function part${number}(value) {\n\treturn value ${side === 'base' ? `+ ${number}` : `- -${number}`};\n}\n`;

const QUERIES = {
	'more-queries': 'notes.js, as the pull request has it',
	'same-query-twice': null,
} as const;

export interface ServiceCase {
	readonly name: string;
	readonly needsPostgres: boolean;
	/** Files, or a package. */
	readonly expected: readonly string[] | string;
	readonly function: string;
	/** Writes a repository with the tags `base` and `head`, and returns its config. */
	write(folder: string, postgresPort: number): string;
}

export const SERVICE_CASES: readonly ServiceCase[] = [
	...CULPRITS.map((culprit) => ({
		name: `upgrade-${culprit.name}`,
		needsPostgres: false,
		expected: culprit.name,
		function: culprit.name,
		write: (folder: string) => writeUpgrades(folder, culprit),
	})),
	...(Object.keys(QUERIES) as (keyof typeof QUERIES)[]).map((name) => ({
		...{ name, needsPostgres: true, expected: ['notes.js'], function: 'list' },
		write: (folder: string, port: number) => writeQueries(folder, name, port),
	})),
];

function writeUpgrades(folder: string, culprit: Culprit): string {
	const [, slowVersion] = UPGRADES[culprit.name] ?? ['', ''];
	const archive = `vendor/${culprit.name}-${slowVersion}.tgz`;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(join(folder, 'vendor'), { recursive: true });
	writeFileSync(join(folder, archive), plantPackage(culprit, slowVersion));
	for (const [at, tag] of (['base', 'head'] as const).entries()) {
		const versions = Object.entries(UPGRADES).map(([name, pair]) => [name, pair[at]] as const);
		const dependencies = { ...Object.fromEntries(versions), ...(at === 1 && { [culprit.name]: `file:${archive}` }) };
		const manifest = { name: 'app', version: '1.0.0', private: true, type: 'module', dependencies };
		writeFiles(folder, { 'package.json': manifest, 'server.mjs': SERVER });
		const lock = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
		execFileSync('npm', lock, { cwd: folder, stdio: 'pipe' });
		commit(folder, tag, {});
	}
	return CONFIG;
}

function plantPackage({ name, file, find }: Culprit, version: string): Buffer {
	const scratch = mkdtempSync(join(tmpdir(), 'upgrade-'));
	const run = (command: string, args: readonly string[], cwd = scratch) =>
		execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' }).trim();
	try {
		run('tar', ['xzf', run('npm', ['pack', '--silent', `${name}@${version}`])]);
		const path = join(scratch, 'package', file);
		const parts = readFileSync(path, 'utf8').split(find);
		if (parts.length !== 2) throw new Error(`${name}/${file} has ${parts.length - 1} places for the cause`);
		writeFileSync(path, parts.join(find + SLOW));
		return readFileSync(
			join(scratch, 'package', run('npm', ['pack', '--silent', '--ignore-scripts'], join(scratch, 'package'))),
		);
	} finally {
		rmSync(scratch, { recursive: true });
	}
}

function writeQueries(folder: string, name: keyof typeof QUERIES, port: number): string {
	const shown = filesOfTutorial('service-database.md', 'The service', 'PostgreSQL');
	const text = (file: string) => {
		const content = shown.get(file);
		if (content === undefined) throw new Error(`the tutorial has no ${file}`);
		return content;
	};
	const slow = QUERIES[name];
	const notes = text('notes.js');
	const twice = notes.replace(
		'return { list };',
		'return { list: async (number) => [await list(number), await list(number)][1] };',
	);
	const parts = Array.from({ length: MODULES }, (_, at) => at + 1);
	const imports = parts.map((part) => `import { part${part} } from './parts/${part}.js';\n`).join('');
	const start = `globalThis.parts = [${parts.map((part) => `part${part}`).join(', ')}];\n`;
	const sideFiles = (side: 'base' | 'head'): Files => ({
		...Object.fromEntries(['package.json', 'migrate.js'].map((file) => [file, text(file)])),
		'server.js': `${imports}${text('server.js').replace('\nconst notes', `\n${start}const notes`)}`,
		'notes.js': side === 'base' ? notes : slow === null ? twice : text(slow),
		...Object.fromEntries(parts.map((part) => [`parts/${part}.js`, moduleText(part, side)])),
	});
	rmSync(folder, { recursive: true, force: true });
	for (const side of ['base', 'head'] as const) commit(folder, side, sideFiles(side));
	return text('benchgate.yml').replace('PGHOST:', `PGPORT: "${port}", PGHOST:`);
}
