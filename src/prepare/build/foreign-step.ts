/** Runs one step of a build as the side's user. */

import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { writeDuration } from '../../config/durations.ts';
import { readTail } from '../../process/logs.ts';
import { SAME_USER } from '../../process/users/same-user.ts';
import { explainRefused } from '../../text/apart.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import type { Warning } from '../../types/units.ts';
import { type ChildOutcome, runChild } from '../child.ts';
import {
	buildsApart,
	isIsolated,
	longestStep,
	nameOrigin,
	type Origin,
	type Session,
	WRONG_NODE,
} from '../prepare-context.ts';
import { type Failure, failureOf, tailOf } from './build-failure.ts';

/** A disk with less space counts as full: a build's log alone needs more. */
const LEAST_BYTES = 1024 * 1024;

const NAMED = 3;
const WATCH_MS = 1000;
const OPEN_TO_READ = ['chmod', '-R', 'a+rX', '--'];

export interface ForeignStep {
	readonly origin: Origin;
	readonly what: string;
	readonly argv: readonly string[];
	/** Absolute. */
	readonly folder: string;
	readonly log: string;
	/** Absolute paths; no other user's process may run there. */
	readonly writes: readonly string[];
	/** Shell line that repeats the step outside the cache. */
	readonly repeat: string;
}

/**
 * Runs a step, ends its leftover processes, and warns about them (`left-behind`). Throws UserError with exit code 3:
 * `prepare-timeout`, or the failure with log lines and the command to repeat it.
 */
export async function runForeign(session: Session, step: ForeignStep): Promise<void> {
	const { origin, what, argv, log, repeat } = step;
	const watch = () => session.progress.status(`${nameOrigin(origin)}: ${what}`, lastLine(readTail(log)));
	watch();
	const watching = setInterval(watch, WATCH_MS);
	const outcome = await runApart(session, step).finally(() => {
		clearInterval(watching);
		session.progress.status('');
	});
	if (outcome.leftBehind.length > 0) session.warnings.push(leftBehind(step, outcome.leftBehind));
	if (outcome.timedOut) throw timeoutError(session, step);
	if (outcome.succeeded) return;
	const ending = outcome.missing ? `${argv[0]} not found` : outcome.ending;
	const refused = buildsApart(session) ? explainRefused(readTail(log), 'build') : '';
	const nodeWarning = session.warnings.find(({ code, side }) => code === WRONG_NODE && side === origin.side);
	const wrongNode = nodeWarning?.message.replace(/\.$/, '');
	const failure: Failure = {
		origin,
		what,
		ending,
		output: readTail(log),
		log,
		repeat,
		withheld: session.withheld,
		refused,
		diskFull: isDiskFull([step.folder, dirname(log), tmpdir()]),
		...(wrongNode === undefined ? {} : { wrongNode }),
	};
	throw failureOf(failure);
}

/** Returns '' if a step has only written its command. */
function lastLine(output: string): string {
	const lines = stripVTControlCharacters(output).split(/[\r\n]+/);
	const line = lines.findLast((each) => each.trim() !== '') ?? '';
	return line.startsWith('$ ') ? '' : line;
}

/** Gives the folders to the side's user during the step, unless the config trusts builds. */
async function runApart(session: Session, step: ForeignStep): Promise<ChildOutcome> {
	const { origin, argv, folder, log, writes } = step;
	const timeoutMs = longestStep(session);
	const options = { cwd: folder, log, timeoutMs, foreign: true };
	if (!buildsApart(session)) {
		const outcome = await runChild(session, argv, options);
		// The side's user reads these files later.
		if (isIsolated(session)) await runChild(session, [...OPEN_TO_READ, ...writes], { cwd: '/', timeoutMs });
		return outcome;
	}
	const user = session.isolation?.sides[origin.side] ?? SAME_USER;
	session.ranApart.add(origin.side);
	for (const path of writes) await user.give(path);
	try {
		return await runChild(session, argv, { ...options, user });
	} finally {
		try {
			await user.endAll();
		} finally {
			for (const path of writes) await user.seal(path);
		}
	}
}

function leftBehind({ origin, what }: ForeignStep, commands: readonly string[]): Warning {
	const names = [...new Set(commands)];
	const listed = names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '');
	const [count, they] = commands.length === 1 ? ['a process', 'it was'] : [`${commands.length} processes`, 'they were'];
	return {
		code: 'left-behind',
		message: `${nameOrigin(origin)}: "${what}" left ${count} behind (${listed}); ${they} ended, because programs that run beside a measurement disturb it`,
		side: origin.side,
	};
}

function timeoutError({ config }: Session, { origin, what, log, repeat }: ForeignStep): UserError {
	return new UserError({
		code: 'prepare-timeout',
		where: nameOrigin(origin),
		message: `${what} did not end within ${writeDuration(config.prepareTimeoutSeconds)} and was stopped with all it started`,
		remedy: `raise prepare-timeout if it needs longer (prepare-timeout: 30m in benchgate.yml, --prepare-timeout 30m); to see where it hangs: ${repeat}; the whole log: ${log}`,
		details: tailOf(readTail(log)),
		exitCode: EXIT.nothingMeasured,
	});
}

/**
 * Whether disk space or inodes ran out. The log cannot show it: it may lie on the full disk and lack the error message.
 */
function isDiskFull(folders: readonly string[]): boolean {
	return folders.some((folder) => {
		try {
			const { bavail, bsize, files, ffree } = statfsSync(folder);
			// A file system without an inode table reports 0 free of 0 inodes.
			return bavail * bsize < LEAST_BYTES || (files > 0 && ffree === 0);
		} catch {
			return false;
		}
	});
}
