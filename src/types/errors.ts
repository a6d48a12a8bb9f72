export const EXIT = {
	passed: 0,
	gateFailed: 1,
	usage: 2,
	nothingMeasured: 3,
	interrupted: 130,
} as const;

const BRAND = Symbol.for('benchgate.UserError');

export interface UserErrorFields {
	/** Stable kebab-case identifier, e.g. `unknown-key`. */
	readonly code: string;
	/** One sentence that contains the offending value. */
	readonly message: string;
	/** `benchgate.yml:7`, `--threshold`, a folder. */
	readonly where?: string;
	/** The allowed form, the nearest valid word, the command to run. */
	readonly remedy?: string;
	/** Last lines of a log, printed indented. */
	readonly details?: string;
	readonly exitCode?: number;
	readonly cause?: unknown;
}

/**
 * An error the user can fix. Printed without a stack trace; any other error is a bug in benchgate and keeps its stack.
 */
export class UserError extends Error {
	readonly code: string;
	readonly where: string | undefined;
	readonly remedy: string | undefined;
	readonly details: string | undefined;
	readonly exitCode: number;
	readonly [BRAND] = true;

	constructor(fields: UserErrorFields) {
		super(fields.message, { cause: fields.cause });
		this.name = 'UserError';
		this.code = fields.code;
		this.where = fields.where;
		this.remedy = fields.remedy;
		this.details = fields.details;
		this.exitCode = fields.exitCode ?? EXIT.usage;
	}
}

/** Whether `error` is a UserError, even across bundles, where `instanceof` fails. */
export function isUserError(error: unknown): error is UserError {
	return typeof error === 'object' && error !== null && BRAND in error;
}
