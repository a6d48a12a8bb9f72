/** One action of a tutorial's reader. */
export type Step =
	| { readonly kind: 'write'; readonly file: string; readonly text: string }
	| { readonly kind: 'run' | 'shown'; readonly text: string };

/**
 * Returns a page's steps: a block after a line with only `` `FILE`: `` is written to that file, `sh` is run, and the
 * last run's output must contain the lines of `text`.
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
