import { isUserError, UserError } from '../types/errors.ts';
import { checkWritable, type OutputFile, writeOutput } from './write-files.ts';

/** Throws the error that `writeOutputs` would, for the first of the flags `names` whose file evidently cannot be written. */
export function checkOutputs<Name extends string>(
	flags: Readonly<Partial<Record<Name, string>>>,
	names: readonly Name[],
): void {
	for (const name of names) {
		const path = flags[name];
		if (path !== undefined) checkWritable(`--${name}`, path);
	}
}

/**
 * Renders `source` and writes it into every file that a flag asks for, by the renderer of the flag's name; one that cannot be
 * written does not stop the others, and is thrown at the end.
 */
export async function writeOutputs<Name extends string, Source>(
	flags: Readonly<Partial<Record<Name, string>>>,
	renderers: Readonly<Record<Name, (source: Source) => OutputFile['content']>>,
	source: Source,
	guard?: OutputFile['guard'],
): Promise<void> {
	const names = Object.keys(renderers) as Name[];
	const writes = names.flatMap((name) => {
		const path = flags[name];
		if (path === undefined) return [];
		return writeOutput({ flag: `--${name}`, path, content: renderers[name](source), ...(guard && { guard }) });
	});
	const failures = (await Promise.allSettled(writes)).flatMap((outcome) =>
		outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
	);
	if (failures.length > 0) throw joinFailures(failures);
}

/** One error for all files that could not be written; a bug among them comes first. */
function joinFailures(failures: readonly unknown[]): unknown {
	const [first, ...others] = failures.filter(isUserError);
	if (first === undefined || others.length + 1 < failures.length) return failures.find((one) => !isUserError(one));
	if (others.length === 0) return first;
	const remedies = new Set([first, ...others].flatMap(({ remedy }) => remedy ?? []));
	return new UserError({
		code: first.code,
		message: [first, ...others].map(({ where, message }) => `${where}: ${message}`).join('\n'),
		remedy: [...remedies].join('; '),
		exitCode: first.exitCode,
		cause: first,
	});
}
