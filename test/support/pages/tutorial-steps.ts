/** A tutorial as what its reader does, step by step. */
export type Step =
	| { readonly kind: 'write'; readonly file: string; readonly text: string }
	| { readonly kind: 'run' | 'shown'; readonly text: string };

/**
 * Returns the steps of a page: a block after a line that is only `` `FILE`: `` is written to that file, one of `sh` is run, and the
 * lines of one of `text` are among what the last run printed.
 */
export function stepsOf(page: string): readonly Step[] {
	const blocks = page.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm);
	return [...blocks].map(([, file, language, text = '']): Step => {
		if (file !== undefined) return { kind: 'write', file, text };
		if (language === 'sh') return { kind: 'run', text };
		if (language === 'text') return { kind: 'shown', text: text.trimEnd() };
		throw new Error(`a tutorial cannot do this with a block of ${language}:\n${text}`);
	});
}
