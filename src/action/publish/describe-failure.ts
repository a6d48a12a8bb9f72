import type { Failure } from '../../types/action-run.ts';
import { EXIT, isUserError } from '../../types/errors.ts';
import { SIDES } from '../../types/units.ts';

/** Returns an error as data. A UserError keeps its text; all others become `internal`. */
export function describeFailure(error: unknown): Failure {
	if (!isUserError(error)) {
		const { message = String(error), stack = null } = error instanceof Error ? error : {};
		return {
			code: 'internal',
			side: null,
			message: `benchgate itself failed: ${message}`,
			where: null,
			remedy: 'please report it with the lines below',
			details: stack,
			usage: false,
		};
	}
	const { code, message, where = null, remedy = null, details = null, exitCode } = error;
	const side = SIDES.find((name) => where?.startsWith(`${name} (`)) ?? null;
	return { code, side, message, where, remedy, details, usage: exitCode === EXIT.usage };
}
