import { UserError } from '../../types/errors.ts';
import { flagOf, type OptionTexts } from '../option-names.ts';

const AT_HAND = 'HEAD';

/**
 * Returns the flags of a comparison with both revisions. Two runtimes are compared on one commit when only one is given, or none:
 * that of the other side, or HEAD. Throws a UserError when a revision is missing and no side has a runtime of its own.
 */
export function withBothRevisions<T extends OptionTexts>(
	flags: T,
): T & { readonly base: string; readonly head: string } {
	const given = (name: 'base' | 'head' | 'baseRuntime' | 'headRuntime') => flags[name]?.trim() || undefined;
	const [base, head] = [given('base'), given('head')];
	if (base !== undefined && head !== undefined) return { ...flags, base, head };
	if ((given('baseRuntime') ?? given('headRuntime')) === undefined) throw missingRevision(base === undefined);
	return { ...flags, base: base ?? head ?? AT_HAND, head: head ?? base ?? AT_HAND };
}

function missingRevision(isBase: boolean): UserError {
	const [flag, what, example] = isBase
		? ([flagOf('base'), 'what head is compared with', 'main'] as const)
		: ([flagOf('head'), 'the change to judge', '.'] as const);
	return new UserError({
		code: 'bad-flag',
		where: flag,
		message: `${what} is not given`,
		remedy: `add a revision, e.g. ${flag} ${example}; to compare two runtimes on one commit: ${flagOf('baseRuntime')} node@22 ${flagOf('headRuntime')} node@24`,
	});
}
