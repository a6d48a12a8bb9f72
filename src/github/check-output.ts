import type { Annotation } from '../types/action-run.ts';

/** What a check run says. */
export interface CheckOutput {
	readonly title: string;
	/** Markdown. */
	readonly summary: string;
	/** Markdown. */
	readonly text?: string;
	readonly annotations: readonly Annotation[];
}

/** GitHub's limit of annotations a request. */
export const ANNOTATION_BATCH = 50;
/** GitHub's limit of a title, in characters. */
const TITLE_LIMIT = 255;
/** GitHub's limit of summary and text. Its description says characters; what it counts are bytes. */
const TEXT_LIMIT_BYTES = 65_535;
/** GitHub takes 64 kB; nobody reads more than this. */
const MESSAGE_LIMIT = 4_000;

/** Returns title, summary and text within GitHub's limits: a title is cut, Markdown that is too long gives way to a sentence. */
export function fitOutput(output: CheckOutput): { title: string; summary: string; text?: string } {
	const { title, summary, text } = output;
	const fitted = {
		title: cut(title, TITLE_LIMIT),
		summary: isTooLong(summary) ? 'The report is too long for a check: it is in the summary of the run.' : summary,
	};
	return text === undefined || isTooLong(text) ? fitted : { ...fitted, text };
}

/** Returns the annotation as the API takes it, on one line of its file. */
export function fitAnnotation({ path, line, level, title, message }: Annotation) {
	return {
		path,
		start_line: Math.max(1, line),
		end_line: Math.max(1, line),
		annotation_level: level,
		title: cut(title, TITLE_LIMIT),
		message: cut(message, MESSAGE_LIMIT),
	};
}

function isTooLong(text: string): boolean {
	return Buffer.byteLength(text) > TEXT_LIMIT_BYTES;
}

/** Cut by characters, so that no half of one is left. */
function cut(text: string, limit: number): string {
	if (text.length <= limit) return text;
	let kept = '';
	for (const character of text) {
		if (kept.length + character.length >= limit) break;
		kept += character;
	}
	return `${kept}…`;
}
