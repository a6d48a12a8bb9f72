import { UserError } from '../../types/errors.ts';

/** Returns the value of `--limit`. Throws UserError when it is no whole number above 0. */
export function readLimit(text: string): number {
	if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
	throw new UserError({
		code: 'bad-limit',
		where: '--limit',
		message: `"${text}" is not a number of baselines`,
		remedy: 'give a whole number above 0, such as 30',
	});
}
