/** Runs one step of a build as the side's user, and ends what it leaves behind. */

import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
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

/** A disk with less room than this is full: a build needs more for a log alone. */
const LEAST_BYTES = 1024 * 1024;

/** Processes a warning names; the rest is counted. */
const NAMED = 3;
const OPEN_TO_READ = ['chmod', '-R', 'a+rX', '--'];

/** A command that runs code of a revision, or of packages it depends on. */
export interface ForeignStep {
	readonly origin: Origin;
	/** What is done, in words of the user's: `npm ci`. */
	readonly what: string;
	readonly argv: readonly string[];
	/** Absolute. */
	readonly folder: string;
	readonly log: string;
	/** Absolute folders it writes into; nobody else's process may run there. */
	readonly writes: readonly string[];
	/** One shell line that repeats it outside of the cache. */
	readonly repeat: string;
}

/**
 * Runs a step to its end. What it started and left running is ended, with the warning `left-behind`. Throws UserError with exit code 3:
 * `prepare-timeout` when it takes longer than the config allows, else why it failed, with the last lines of its log, how to repeat
 * it, and the variables it was not given.
 */
export async function runForeign(session: Session, step: ForeignStep): Promise<void> {
	const { origin, what, argv, log, repeat } = step;
	const outcome = await runApart(session, step);
	if (outcome.leftBehind.length > 0) session.warnings.push(leftBehind(step, outcome.leftBehind));
	if (outcome.timedOut) throw timeoutError(session, step);
	if (outcome.succeeded) return;
	const ending = outcome.missing ? `${argv[0]} not found` : outcome.ending;
	const refused = buildsApart(session) ? explainRefused(readTail(log), 'build') : '';
	const asked = session.warnings.find(({ code, side }) => code === WRONG_NODE && side === origin.side);
	const wrongNode = asked?.message.replace(/\.$/, '');
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

/** Runs the step as the side's user, to whom its folders belong meanwhile and only meanwhile, unless the config trusts builds. */
async function runApart(session: Session, step: ForeignStep): Promise<ChildOutcome> {
	const { origin, argv, folder, log, writes } = step;
	const timeoutMs = longestStep(session);
	const options = { cwd: folder, log, timeoutMs, foreign: true };
	if (!buildsApart(session)) {
		const outcome = await runChild(session, argv, options);
		// The side's user reads it later.
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

// Whether a disk is full.

/**
 * Returns whether a disk that one of `folders` lies on has no room left, or no room for another file. A program that cannot write
 * cannot always say so: the log it would say it in may lie on the same disk. A folder that is gone counts as one with room.
 */
function isDiskFull(folders: readonly string[]): boolean {
	return folders.some((folder) => {
		try {
			const { bavail, bsize, files, ffree } = statfsSync(folder);
			// File systems without a table of files say 0 of 0.
			return bavail * bsize < LEAST_BYTES || (files > 0 && ffree === 0);
		} catch {
			return false;
		}
	});
}
