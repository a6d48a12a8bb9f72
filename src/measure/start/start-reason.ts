/** Finds in the log of a server why it did not start. */
import type { ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { readTail } from '../../process/logs.ts';
import { isTelling } from '../vitals.ts';

const LOG_LINES = 10;

const LOG_CHARACTERS = 300;

/** Stack frames, and lines that only mark a position. */
const STACK_LINE = /^\s+at |^\s*File ".*", line \d+|^[\s^~]*$/;

export interface StartPlace {
	/** Absolute path. */
	readonly cwd: string;
	readonly port: number;
}

/** Returns the reason, or null for other failures. */
type Reader = (output: string, place: StartPlace) => string | null;

/** Longest quoted message, in characters. */
const MESSAGE = 200;
/** Longer lines are not messages, and are slow to search. */
const LINE = 500;
/** Most lines between an error and its stack: fields and longer messages. */
const BEFORE_STACK = 20;

/** `acme requires Node.js >= 22` and variants. */
const WANTED_NODE =
	/^[^\n]*\b(?:requires?|needs|expected|unsupported)\b[^\n]{0,40}\bnode(?:\.?js)?\b[^\n]{0,20}?(?:[>=^~]|version|\bv)\s*v?\d[^\n]*/im;

/** The error of calling a function that is new in Node between 20 and 24. Source: https://node.green. */
const NEW_IN_NODE =
	/^TypeError: ((?:Promise\.(?:withResolvers|try)|(?:Object|Map)\.groupBy|Array\.fromAsync|process\.getBuiltinModule|RegExp\.escape)) is not a function/m;

/** The most reliable first, because later output is mostly a consequence. */
const READERS: readonly Reader[] = [
	missingModule,
	missingExport,
	portTaken,
	wrongNode,
	syntaxError,
	missingCommand,
	pythonError,
	uncaughtError,
];

/**
 * Returns the first known reason of a failed start as a predicate (`cannot find dist/index.js, which server.mjs
 * imports`), or null. Paths are relative to the server's folder. Untrusted: escape it.
 */
export function findStartReason(output: string, place: StartPlace): string | null {
	const lines = stripVTControlCharacters(output).split('\n');
	const text = lines.map((line) => line.slice(0, LINE)).join('\n');
	for (const read of READERS) {
		const reason = read(text, place);
		if (reason !== null) return reason;
	}
	return null;
}

/** Reads https://nodejs.org/api/errors.html#err_module_not_found, and MODULE_NOT_FOUND of `require`. */
function missingModule(output: string, place: StartPlace): string | null {
	const imported = /Cannot find (?:module|package) '([^'\n]+)' imported from ([^\n]+)/.exec(output);
	if (imported?.[1] !== undefined) {
		return `cannot find ${moduleOf(imported[1], place)}, which ${pathOf(imported[2] ?? '', place)} imports`;
	}
	const required = /Cannot find module '([^'\n]+)'(?:[^\n]*\n(?:Require stack:\n- ([^\n]+))?)?/.exec(output);
	if (required?.[1] === undefined) return null;
	const by = required[2] === undefined ? '' : `, which ${pathOf(required[2], place)} requires`;
	return `cannot find ${moduleOf(required[1], place)}${by}`;
}

function missingExport(output: string, place: StartPlace): string | null {
	const subpath =
		/Package subpath '([^'\n]+)' is not defined by "exports" in ([^\n]+?)(?: imported from ([^\n]+))?$/m.exec(output);
	if (subpath !== null) {
		const by = subpath[3] === undefined ? '' : `, which ${pathOf(subpath[3], place)} imports`;
		return `cannot import ${subpath[1]} of the package in ${pathOf(subpath[2] ?? '', place)}: its "exports" do not name it${by}`;
	}
	const name = /The requested module '([^'\n]+)' does not provide an export named '([^'\n]+)'/.exec(output);
	if (name === null) return null;
	return `imports ${name[2]} from ${name[1]}, which has no such export${describePlace(placeOf(output, place))}`;
}

function portTaken(output: string, { port }: StartPlace): string | null {
	const line = output.split('\n').find((each) => /EADDRINUSE|address already in use/i.test(each));
	if (line === undefined) return null;
	const socket = /\s(\S*\/\S*)$/.exec(line.trimEnd())?.[1];
	if (socket !== undefined) {
		return `cannot listen on the socket ${socket}, which is taken: benchgate asks the port in PORT (${port}), and both sides run at once`;
	}
	const portText = [...line.matchAll(/:(\d{2,5})\b/g)].at(-1)?.[1] ?? /^\s+port: (\d{2,5})\b/m.exec(output)?.[1];
	const triedPort = Number(portText ?? port);
	const reason = `cannot listen on port ${triedPort}, which another process has taken`;
	if (triedPort === port) return reason;
	return `${reason}: both sides run at once, so it must take its port from PORT (${port}), and any second port from env`;
}

function wrongNode(output: string, place: StartPlace): string | null {
	const option = /: bad option: (\S+)|(\S+) is not allowed in NODE_OPTIONS/.exec(output);
	if (option !== null) return `needs another Node: this one does not know the option ${option[1] ?? option[2]}`;
	const builtin = /No such built-in module: (\S+)/.exec(output);
	if (builtin !== null) return `needs another Node: this one does not have ${builtin[1]}`;
	const missing = NEW_IN_NODE.exec(output);
	if (missing !== null) {
		const where = placeOf(output, place);
		return `needs another Node: this one does not have ${missing[1]}${where === null ? '' : `, which ${where} calls`}`;
	}
	if (/was compiled against a different Node\.js version/.test(output)) {
		return 'loads native code that was compiled for another Node than this';
	}
	const wanted = WANTED_NODE.exec(output);
	return wanted === null ? null : `requires another Node: ${shorten(wanted[0].trim())}`;
}

function syntaxError(output: string, place: StartPlace): string | null {
	const error = /^SyntaxError: ([^\n]+)/m.exec(output);
	if (error === null || /^\s*File "/m.test(output)) return null;
	return `has a syntax error${describePlace(placeOf(output, place))}: ${shorten(error[1] ?? '')}`;
}

function missingCommand(output: string): string | null {
	const named = /^(?:\/bin\/)?(?:ba|da)?sh: (?:(?:line )?\d+: )?([^\s:]+): (?:command )?not found$/m.exec(output);
	if (named === null) return null;
	const [, program = ''] = named;
	return program.includes('/')
		? `calls ${program}, which is missing, or whose first line names a missing program, as with Windows line ends`
		: `calls ${program}, which is not installed`;
}

/** In a traceback the last line is the error, and the last `File` line is its place. */
function pythonError(output: string, place: StartPlace): string | null {
	const traceback = output.lastIndexOf('  File "');
	if (traceback < 0) return null;
	const [, file, line] = /File "([^"]+)", line (\d+)/.exec(output.slice(traceback)) ?? [];
	const error = /^([A-Z]\w*(?:\.\w+)*(?:Error|Exception|Exit)): ([^\n]+)/m.exec(output.slice(traceback));
	if (error === null || file === undefined) return null;
	return `failed with ${error[1]} in ${pathOf(file, place)}:${line}: ${shorten(error[2] ?? '')}`;
}

/** Node prints the error last, Deno first. */
function uncaughtError(output: string, place: StartPlace): string | null {
	const lines = output.split('\n');
	const isStack = (line: string) => /^\s+at /.test(line);
	for (const [at, line] of lines.entries()) {
		const error = /^(?:error: )?(?:Uncaught )?(?:\(in promise\) )?((?:[A-Z]\w*)?Error(?: \[\w+\])?): (.+)/.exec(line);
		if (error === null || !lines.slice(at + 1, at + BEFORE_STACK).some(isStack)) continue;
		const where = placeOf(output, place) ?? frameOf(lines.slice(at).join('\n'), place);
		return `failed with ${error[1]}${describePlace(where)}: ${shorten(error[2] ?? '')}`;
	}
	return null;
}

function placeOf(output: string, place: StartPlace): string | null {
	const match = /^((?:file:\/\/)?\/[^\n]+?):(\d+)\n/m.exec(output);
	return match === null ? null : `${pathOf(match[1] ?? '', place)}:${match[2]}`;
}

function frameOf(stack: string, place: StartPlace): string | null {
	const frame = /^\s+at (?:[^\n]*\()?((?:file:\/\/)?\/[^\n]+?):(\d+):\d+\)?$/m.exec(stack);
	return frame === null ? null : `${pathOf(frame[1] ?? '', place)}:${frame[2]}`;
}

function describePlace(where: string | null): string {
	return where === null ? '' : ` in ${where}`;
}

/** Marks modules, so they are not taken for files. */
function moduleOf(name: string, place: StartPlace): string {
	return /^(?:file:\/\/)?\//.test(name) ? pathOf(name, place) : name.startsWith('.') ? name : `the module ${name}`;
}

function pathOf(path: string, { cwd }: StartPlace): string {
	const plain = path.trim().replace(/^file:\/\//, '');
	return plain.startsWith(`${cwd}/`) ? plain.slice(cwd.length + 1) : plain;
}

function shorten(message: string): string {
	return message.length > MESSAGE ? `${message.slice(0, MESSAGE - 1)}…` : message;
}

/** Returns a log's last lines without stack frames, cut at the beginning. */
export function lastWords(file: string): string {
	const lines = stripVTControlCharacters(readTail(file))
		.split('\n')
		.filter((line) => !isTelling(line));
	const text = lines
		.join('\n')
		.slice(-4_000)
		.trimEnd()
		.split('\n')
		.filter((line) => !STACK_LINE.test(line))
		.slice(-LOG_LINES)
		.join('\n')
		.trim();
	return text.length > LOG_CHARACTERS ? `…${text.slice(-LOG_CHARACTERS)}` : text;
}

/** Returns how a server ended and why, or null while it runs. The text is untrusted. */
export function describeEnding(
	child: ChildProcess,
	reason: () => string | null,
	lastLines: () => string,
): string | null {
	if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) return null;
	const how = child.pid === undefined ? 'could not be started' : (child.signalCode ?? `exit code ${child.exitCode}`);
	const cause = reason();
	if (cause !== null) return `${how}; it ${cause}`;
	const lines = lastLines();
	return lines === '' ? `${how}, and printed nothing` : `${how}; it printed: ${lines}`;
}
