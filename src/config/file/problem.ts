import { UserError } from '../../types/errors.ts';

/** Where something is inside a document: keys and array indexes from the top. */
export type Path = readonly (string | number)[];

/** One thing wrong in a file. */
export interface Problem {
	/** 1-based. */
	readonly line: number;
	readonly path: Path;
	/** What is wrong with the value at `path`, the allowed form, the nearest valid word. */
	readonly message: string;
}

/** Returns `scenarios[0].request.path`. */
function formatPath(path: Path): string {
	return path.reduce<string>((text, key) => {
		if (typeof key === 'number') return `${text}[${key}]`;
		return text === '' ? key : `${text}.${key}`;
	}, '');
}

/** Returns a value as it is shown in messages: JSON, shortened. */
export function formatValue(value: unknown): string {
	if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
	if (typeof value === 'object' && value !== null) return 'a mapping';
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length > 80 ? `${text.slice(0, 76)}..."` : text;
}

/** Returns the message about a value that `form` does not allow. */
export function refusal(value: unknown, form: unknown): string {
	if (value === null) return `no value is given; ${form}`;
	return `${formatValue(value)} is not allowed; ${form}`;
}

/** Returns one error that lists every problem with file and line, in the order of the file. */
export function problemsError(code: string, fileName: string, problems: readonly Problem[]): UserError {
	const lines = problems
		.toSorted((first, second) => first.line - second.line)
		.map(({ line, path, message }) => [`${fileName}:${line}`, formatPath(path), message].filter(Boolean).join(': '));
	return new UserError({ code, message: [...new Set(lines)].join('\n') });
}
