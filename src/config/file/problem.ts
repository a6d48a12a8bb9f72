import { UserError } from '../../types/errors.ts';

/** Keys and array indexes from the top of a document. */
export type Path = readonly (string | number)[];

export interface Problem {
	/** 1-based. */
	readonly line: number;
	readonly path: Path;
	/** The problem, the allowed form and the nearest valid word. */
	readonly message: string;
}

function formatPath(path: Path): string {
	return path.reduce<string>((text, key) => {
		if (typeof key === 'number') return `${text}[${key}]`;
		return text === '' ? key : `${text}.${key}`;
	}, '');
}

export function formatValue(value: unknown): string {
	if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
	if (typeof value === 'object' && value !== null) return 'a mapping';
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length > 80 ? `${text.slice(0, 76)}..."` : text;
}

export function refusal(value: unknown, form: unknown): string {
	if (value === null) return `no value is given; ${form}`;
	return `${formatValue(value)} is not allowed; ${form}`;
}

export function problemsError(code: string, fileName: string, problems: readonly Problem[]): UserError {
	const lines = problems
		.toSorted((first, second) => first.line - second.line)
		.map(({ line, path, message }) => [`${fileName}:${line}`, formatPath(path), message].filter(Boolean).join(': '));
	return new UserError({ code, message: [...new Set(lines)].join('\n') });
}
