/** Explains failed builds. */
import { stripVTControlCharacters } from 'node:util';
import { EXIT, isUserError, UserError } from '../../types/errors.ts';
import { nameOrigin, type Origin } from '../prepare-context.ts';

const TAIL_LINES = 20;
const NO_PROGRAM = 'exit code 127';
/** Of a package manager, after a failed script. */
const LAST_WORDS = 3;
const NETWORK_CODES =
	'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|' +
	'\\w*SELF_SIGNED_CERT\\w*|UNABLE_TO_\\w+|CERT_\\w+|ERR_TLS_\\w+';
/** Of package managers only: a failing test may print ECONNREFUSED. */
const NETWORK = new RegExp(
	[
		`^npm (?:error|ERR!) (?:code|errno) (?:${NETWORK_CODES})`,
		'^npm (?:error|ERR!) network ',
		'ERR_PNPM_META_FETCH_FAIL',
		`^\\s*(?:WARN|ERROR|ERR_PNPM\\S*)\\s.*GET https?:.*(?:${NETWORK_CODES})`,
		'trouble with your network connection',
		`YN0001:.*(?:RequestError|${NETWORK_CODES})`,
		`unable to access 'https?:.*Could not resolve host`,
		'Get "https?:[^"]*": dial tcp',
		'^warning: spurious network error ',
		"^WARNING: Retrying .*after connection broken by 'NewConnectionError",
		'All attempts to connect to \\S+ failed',
		'error sending request for url \\(https?:',
		'Could not transfer artifact \\S+ from/to ',
	].join('|'),
	'm',
);
const UNKNOWN_HOST = /(?:Could not resolve host:|dial tcp: lookup) ([\w.-]+)/;
const CODED = new RegExp(`${NETWORK_CODES}|${UNKNOWN_HOST.source}`);
const NPM_USAGE = /^npm error Clean install a project\n[\s\S]*/m;
/** Of tsc and rustc. */
const COMPILER = /\berror(?: TS\d+|\[E\d+\]):/;
const DISK_FULL = /ENOSPC|No space left on device|EDQUOT|Disk quota exceeded/i;
const DISK_REMEDY = 'free some space, or set BENCHGATE_CACHE to a folder on another disk';

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

export type Trouble = 'network' | 'disk-full';

/** Returns trouble that the code did not cause. */
export function findTrouble(output: string): Trouble | null {
	if (DISK_FULL.test(output)) return 'disk-full';
	return NETWORK.test(output) ? 'network' : null;
}

/** Returns an output's last lines, without colours. */
export function tailOf(output: string, lines = TAIL_LINES): string {
	const plain = stripVTControlCharacters(output).replace(NPM_USAGE, '');
	return plain.trimEnd().split('\n').slice(-lines).join('\n');
}

/** Like `tailOf`. If npm printed the network error code earlier, that line comes first. */
export function quoteNetworkTrouble(output: string, lines = TAIL_LINES): string {
	const text = stripVTControlCharacters(output);
	const naming = text.split('\n').filter((line) => NETWORK.test(line));
	const coded = naming.find((line) => CODED.test(line)) ?? naming[0];
	const tail = tailOf(text, lines);
	if (coded === undefined || tail.split('\n').includes(coded)) return tail;
	return `${coded}\n…\n${tailOf(text, lines - 2)}`;
}

export interface Failure {
	readonly origin: Origin;
	readonly what: string;
	readonly ending: string;
	readonly output: string;
	readonly log?: string;
	/** Shell line that repeats the step outside the cache. */
	readonly repeat: string;
	readonly withheld?: readonly string[];
	readonly wrongNode?: string;
	readonly diskFull?: boolean;
	/** Remedy for missing permissions; begins with a semicolon. */
	readonly refused?: string;
}

export function failureOf(failure: Failure): UserError {
	const { origin, what, ending, output } = failure;
	const trouble = failure.diskFull ? 'disk-full' : findTrouble(output);
	const log = failure.log === undefined ? '' : `; the whole log: ${failure.log}`;
	const common = { where: nameOrigin(origin), details: tailOf(output), exitCode: EXIT.nothingMeasured };
	if (trouble === 'disk-full') {
		return new UserError({
			...common,
			code: 'disk-full',
			message: `the disk is full: ${what} could not finish`,
			remedy: DISK_REMEDY,
		});
	}
	if (trouble === 'network') {
		return new UserError({ ...common, details: quoteNetworkTrouble(output), ...networkFields(what, output) });
	}
	const plain = stripVTControlCharacters(output);
	// pnpm replaces exit code 127 by another, and prints the cause last.
	const causeText = ending === NO_PROGRAM ? plain : tailOf(plain, LAST_WORDS);
	const refused = findRefusal(plain) ?? findMissingProgram(causeText);
	const hints = [refused === null ? undefined : asTyped(refused.remedy, what), failure.wrongNode].filter(
		(hint) => hint !== undefined,
	);
	const line = refused?.line ?? lineOf(plain, COMPILER);
	return new UserError({
		...common,
		code: 'build-failed',
		message: `${what} failed with ${ending}${line === undefined ? '' : `: ${line}`}`,
		remedy: `${hints.map((hint) => `${hint}; `).join('')}repeat it by hand: ${failure.repeat}${log}${failure.refused ?? ''}${describeWithheld(failure.withheld)}`,
	});
}

/** A fetched package manager is fetched again. */
const FETCHED = /^(npx (?:--package=\S+ )?(yarn|pnpm|bun)(?:@\S+)?) /;

function asTyped(remedy: string, command: string): string {
	const [, fetched, name] = FETCHED.exec(command) ?? [];
	return fetched === undefined ? remedy : remedy.replaceAll(`${name} install`, `${fetched} install`);
}

export function networkFields(what: string, output = ''): { code: string; message: string; remedy: string } {
	return {
		code: 'network',
		message: `no network: ${what} could not reach ${UNKNOWN_HOST.exec(output)?.[1] ?? 'the package registry'}`,
		remedy:
			'check the connection, the proxy (HTTPS_PROXY) and the registry setting of the package manager; revisions that were prepared before still work, from the cache',
	};
}

function describeWithheld(names: readonly string[] = []): string {
	if (names.length === 0) return '';
	return `; these variables were not passed on, because they may hold secrets: ${[...names].sort().join(', ')}`;
}

/** For git and tar: output of builds is checked earlier. */
function metFullDisk({ code, message, details = '' }: UserError): boolean {
	return code !== 'disk-full' && code !== 'build-failed' && DISK_FULL.test(`${message}\n${details}`);
}

function fullDiskOf(error: UserError): UserError {
	return new UserError({
		code: 'disk-full',
		message: `the disk is full: ${error.message}`,
		...(error.where !== undefined && { where: error.where }),
		...(error.details !== undefined && { details: error.details }),
		remedy: DISK_REMEDY,
		exitCode: EXIT.nothingMeasured,
		cause: error,
	});
}

/** Turns file system errors that users can fix into UserError. Returns others unchanged. */
export function explainSystemError(error: unknown, cacheFolder: string): unknown {
	const { code, message } = error as NodeJS.ErrnoException;
	const common = { where: cacheFolder, exitCode: EXIT.nothingMeasured, cause: error };
	if (isUserError(error)) return metFullDisk(error) ? fullDiskOf(error) : error;
	if (code === 'ENOSPC' || code === 'EDQUOT') {
		return new UserError({ ...common, code: 'disk-full', message: 'the disk is full', remedy: DISK_REMEDY });
	}
	const path = (error as NodeJS.ErrnoException).path ?? '';
	if (UNWRITABLE.has(code ?? '') && path.startsWith(cacheFolder)) {
		return new UserError({
			...common,
			code: 'cache-unusable',
			message: `the cache cannot be written: ${message}`,
			remedy: 'set BENCHGATE_CACHE to a folder that can be written',
		});
	}
	return error;
}

/** A package manager's refusal to install, and a remedy. */
interface Refused {
	readonly line: string;
	readonly remedy: string;
}

const REFUSALS: readonly { readonly says: RegExp; readonly remedy: (match: RegExpExecArray) => string }[] = [
	{
		says: /Failed to replace env in config: \$\{(\w+)[^}]*\}|Environment variable not found \((\w+)\)/,
		remedy: ([, npm, yarn]) =>
			`its .npmrc or .yarnrc.yml needs the variable ${npm ?? yarn}, which builds do not get; if public packages are enough, leave it empty: "prepare: ${npm ?? yarn}= npm ci" with your own install command`,
	},
	{
		says: /Cannot find matching keyid|Invalid signature|Signature does not match/i,
		remedy: () =>
			'corepack does not know the key its package manager is signed with: update it (npm install --global corepack@latest), or install the package manager itself',
	},
	{
		says: /\b(?:EACCES|EROFS): .*\bcorepack\b/,
		remedy: () =>
			'corepack may not write there: leave it out of the command; pnpm, yarn and bun are fetched through npm where they are not on PATH',
	},
	{
		says: /This version of pnpm requires at least Node\.js v?(\d[\d.]*\d)/,
		remedy: ([, version]) => `the pnpm of this repository needs Node ${version} or later: --node PATH`,
	},
	{
		says: /code EBADENGINE|ERR_PNPM_UNSUPPORTED_ENGINE|The engine "node" is incompatible/i,
		remedy: () => 'run it with a Node that its "engines" accept: --node PATH',
	},
	{
		says: /(ERR_PNPM_OUTDATED_LOCKFILE)|`npm ci` can only install packages when your package\.json|(YN0028)|(lockfile needs to be updated)|(lockfile had changes, but lockfile is frozen)/,
		remedy: ([, pnpm, berry, yarn, bun]) => {
			const tool = pnpm ? 'pnpm' : berry || yarn ? 'yarn' : bun ? 'bun' : 'npm';
			const anyway = pnpm ? ' --no-frozen-lockfile' : berry ? ' --no-immutable' : '';
			return `the lockfile of this revision does not fit its package.json: update it with ${tool} install and commit it, or let the install change it, with "prepare: ${tool} install${anyway}"`;
		},
	},
	{
		says: /ERR_PNPM_BAD_PM_VERSION|ERR_PNPM_OTHER_PM_EXPECTED|This project is configured to use \w+|This project's package\.json defines "packageManager"/,
		remedy: () =>
			'put the package manager that its "packageManager" names on your PATH, or take it off: then it is fetched through npm',
	},
	{
		says: /EINTEGRITY|ERR_PNPM_TARBALL_INTEGRITY|YN0018|Integrity check failed|Mismatch hashes/,
		remedy: () => 'the registry gives something else than the lockfile names: look at the registry setting of npm',
	},
	{
		says: /ERR_PNPM_(?:TRUST_DOWNGRADE|NO_MATURE_MATCHING_VERSION|IGNORED_BUILDS|MISSING_HOISTED_LOCATIONS)\b/,
		remedy: () => 'pnpm holds it back by a setting of the repository (pnpm-workspace.yaml or .npmrc)',
	},
	{
		// Only lockfiles name tarballs; package.json names versions.
		says: /(ERR_PNPM_FETCH_404).*\.tgz|\b404\b.*\.tgz\b|\.tgz: (Request failed) "404\b|(YN0035):.*Package not found/,
		remedy: ([, pnpm, yarn, berry]) => {
			const install =
				pnpm !== undefined
					? 'pnpm install --no-lockfile'
					: yarn !== undefined
						? 'yarn install --no-lockfile'
						: berry !== undefined
							? 'rm yarn.lock && yarn install --no-immutable'
							: 'npm install --no-package-lock';
			return `the registry does not have, or no longer has, a version that the lockfile names; install what package.json allows instead, e.g. "prepare: ${install} && npm run build"`;
		},
	},
	{
		says: /code (?:E401|E403|ENEEDAUTH)\b|ERR_PNPM_FETCH_40[13]|YN0041/,
		remedy: () => 'the registry wants a login: it must work with the npm settings of your user',
	},
	{
		says: /code EUNKNOWNCONFIG|Unknown (?:project|user|env) config "([^"\n]+)"\. This is not supported/,
		remedy: ([, key]) =>
			`npm refuses the setting ${key ?? ''} in .npmrc: use the npm it was written for`.replace('  ', ' '),
	},
];
/** Longer lines are not messages (characters). */
const LINE = 500;

function lineOf(output: string, says: RegExp): string | undefined {
	const lines = output.split('\n').map((line) => line.slice(0, LINE));
	return lines.find((line) => says.test(line))?.trim();
}

export function findRefusal(output: string): Refused | null {
	for (const { says, remedy } of REFUSALS) {
		const line = lineOf(output, says);
		const match = says.exec(line ?? '');
		if (line !== undefined && match !== null) return { line, remedy: remedy(match) };
	}
	return null;
}

const MISSING = /^(?:\/\S*\/)?(?:ba|da)?sh: (?:(?:line )?\d+: )?([^\s:]+): (?:command )?not found$/;

function findMissingProgram(output: string): Refused | null {
	const line = output.split('\n').findLast((each) => MISSING.test(each.slice(0, LINE)));
	const [, program] = MISSING.exec(line ?? '') ?? [];
	if (line === undefined || program === undefined) return null;
	const remedy =
		program === 'corepack'
			? 'this Node brings no corepack: leave it out of the command; pnpm, yarn and bun are fetched through npm where they are not on PATH'
			: `put ${program} on the PATH of benchgate, or install the package that brings it first ("prepare: npm ci && …")`;
	return { line, remedy };
}
