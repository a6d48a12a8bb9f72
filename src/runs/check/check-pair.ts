import { prepareSides } from '../../prepare/prepare-sides.ts';
import { isUserError, type UserError } from '../../types/errors.ts';
import type { Finding } from '../../types/finding.ts';
import { SIDES } from '../../types/units.ts';
import { withRuntimes } from '../open-runtimes.ts';
import { openSides } from '../open-sides.ts';
import { sharedServers } from '../present-servers.ts';
import { type AskedPair, prepareContextOf, verifyPair } from '../verify-pair.ts';
import { describeAnswers } from './describe-answers.ts';
import { describeIsolation } from './describe-machine.ts';
import { describeRuntimes } from './describe-runtimes.ts';
import { describeSides } from './describe-sides.ts';
import { describeUntouched } from './describe-untouched.ts';

/**
 * Does what a comparison does before its first load, and returns what it found: both sides made, every server started twice,
 * every scenario asked on both. What stops it is the last finding. Nothing that it started is left behind. Throws the reason of
 * `asked.signal` when that aborts.
 */
export async function checkPair(asked: AskedPair): Promise<readonly Finding[]> {
	const findings: Finding[] = [];
	try {
		await using isolation = await openSides(asked);
		const isolated = await withRuntimes({ ...asked, isolation });
		findings.push(...describeRuntimes(isolated.runtimes));
		const config = { ...asked.config, servers: sharedServers(asked) };
		const prepared = await prepareSides(config, asked.revisions, prepareContextOf(isolated));
		findings.push(...describeSides(prepared));
		const verified = await verifyPair(isolated, prepared);
		findings.push(...describeAnswers(verified), ...(await describeUntouched(asked)));
		await verified.bench.close();
		findings.push(describeIsolation(asked.config, isolation));
	} catch (error) {
		asked.signal.throwIfAborted();
		if (!isUserError(error)) throw error;
		findings.push(...problemsOf(error, 'sides'));
	}
	return findings;
}

/** Returns an error that its reader can fix as findings, one for each line of its message; about its side, else about `otherwise`. */
export function problemsOf(error: UserError, otherwise: string): readonly Finding[] {
	const { where, message, remedy, details, exitCode } = error;
	const side = SIDES.find((name) => where?.startsWith(`${name} (`) || where === `--${name}`);
	const lines = message.split('\n');
	return lines.map((line, at) => ({
		kind: 'problem',
		about: side ?? otherwise,
		text: at === 0 && where !== undefined ? `${where}: ${line}` : line,
		...(at === lines.length - 1 && { ...(remedy && { remedy }), ...(details && { details }) }),
		exitCode,
	}));
}
