/** Why a build failed, as a fault of the side, of the machine or of the network. */
import { stripVTControlCharacters } from 'node:util';
import { EXIT, isUserError, UserError } from '../../types/errors.ts';
import { nameOrigin, type Origin } from '../prepare-context.ts';
import { findMissingProgram, findRefusal } from './refusals.ts';

const TAIL_LINES = 20;
/** How a shell ends that does not find a program. */
const NO_PROGRAM = 'exit code 127';
/** Lines in which a package manager says that a script has failed, and why. */
const LAST_WORDS = 3;
const NETWORK_CODES =
	'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|' +
	'\\w*SELF_SIGNED_CERT\\w*|UNABLE_TO_\\w+|CERT_\\w+|ERR_TLS_\\w+';
/** Only what package managers themselves print: a failing test of the subject may print ECONNREFUSED too. */
const NETWORK = new RegExp(
	[
		`^npm (?:error|ERR!) (?:code|errno) (?:${NETWORK_CODES})`,
		'^npm (?:error|ERR!) network ',
		'ERR_PNPM_META_FETCH_FAIL',
		`^\\s*(?:WARN|ERROR|ERR_PNPM\\S*)\\s.*GET https?:.*(?:${NETWORK_CODES})`,
		'trouble with your network connection',
		`YN0001:.*(?:RequestError|${NETWORK_CODES})`,
	].join('|'),
	'm',
);
/** Lines that hold the code itself, which says more than any other. */
const CODED = new RegExp(NETWORK_CODES);
const DISK_FULL = /ENOSPC|No space left on device|EDQUOT|Disk quota exceeded/i;
const DISK_REMEDY = 'free some space, or set BENCHGATE_CACHE to a folder on another disk';

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/** Kinds of trouble that are not the fault of the code that is built. */
export type Trouble = 'network' | 'disk-full';

/** Returns what a package manager's output blames besides the code itself, or null. */
export function findTrouble(output: string): Trouble | null {
	if (DISK_FULL.test(output)) return 'disk-full';
	return NETWORK.test(output) ? 'network' : null;
}

/** Returns the last lines of an output, without colours and empty lines at the end. */
export function tailOf(output: string, lines = TAIL_LINES): string {
	return stripVTControlCharacters(output).trimEnd().split('\n').slice(-lines).join('\n');
}

/**
 * Returns the last lines of an output about an unreachable network, headed by the line that names the error code
 * when that came earlier: npm says it first and explains it at length.
 */
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
	/** What was tried: `npm ci`. */
	readonly what: string;
	/** How it ended: `exit code 1`. */
	readonly ending: string;
	/** Output to take the last lines from. */
	readonly output: string;
	readonly log?: string;
	/** One shell line that repeats it outside of the cache. */
	readonly repeat: string;
	/** Names of variables it was not given, because they may hold secrets. */
	readonly withheld?: readonly string[];
	/** That the side asks for another Node than the one at hand. */
	readonly wrongNode?: string;
	/** Whether a disk it writes to has no room left. */
	readonly diskFull?: boolean;
	/** What to do where it was refused something because of who it ran as; begins with a semicolon. */
	readonly refused?: string;
}

/** Returns the error for a side that cannot be prepared: exit code 3, the last lines, the command to repeat it. */
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
		return new UserError({ ...common, details: quoteNetworkTrouble(output), ...networkFields(what) });
	}
	const plain = stripVTControlCharacters(output);
	// pnpm ends otherwise, and says it at last.
	const said = ending === NO_PROGRAM ? plain : tailOf(plain, LAST_WORDS);
	const refused = findRefusal(plain) ?? findMissingProgram(said);
	const hints = [refused === null ? undefined : asTyped(refused.remedy, what), failure.wrongNode].filter(
		(hint) => hint !== undefined,
	);
	return new UserError({
		...common,
		code: 'build-failed',
		message: `${what} failed with ${ending}${refused === null ? '' : `: ${refused.line}`}`,
		remedy: `${hints.map((hint) => `${hint}; `).join('')}repeat it by hand: ${failure.repeat}${log}${failure.refused ?? ''}${describeWithheld(failure.withheld)}`,
	});
}

/** A manager that is not on PATH was fetched through npm: what is to be typed does that too. */
const FETCHED = /^(npx (?:--package=\S+ )?(yarn|pnpm|bun)(?:@\S+)?) /;

function asTyped(remedy: string, command: string): string {
	const [, fetched, name] = FETCHED.exec(command) ?? [];
	return fetched === undefined ? remedy : remedy.replaceAll(`${name} install`, `${fetched} install`);
}

/** Returns code, message and remedy for a package registry that cannot be reached. */
export function networkFields(what: string): { code: string; message: string; remedy: string } {
	return {
		code: 'network',
		message: `no network: ${what} could not reach the package registry`,
		remedy:
			'check the connection, the proxy (HTTPS_PROXY) and the registry setting of npm; revisions that were prepared before still work, from the cache',
	};
}

/** Names only: what a variable holds is nobody's business. */
function describeWithheld(names: readonly string[] = []): string {
	if (names.length === 0) return '';
	return `; these variables were not passed on, because they may hold secrets: ${[...names].sort().join(', ')}`;
}

/** A program of ours, such as git or tar, that found no room says so in its last words; a build was asked before. */
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

/**
 * Returns errors of the file system that users can fix as UserError, also where a program met the full disk, and everything else as it
 * is: what the disk did is no fault of the side that was prepared.
 */
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
