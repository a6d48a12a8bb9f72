import type { ChangedCode, CodeChange, ImpactReason } from '../types/impact.ts';
import { formatCount } from './numbers.ts';
import { type Phrase, phrase } from './phrase.ts';

const MODULES = 'node_modules/';

type Place = Omit<CodeChange, 'cells'>;

/** Returns `because send() changed (express/lib/response.js:118, 1.0× a request)`, or null if the config is why. */
export function whyAffected(reason: ImpactReason): Phrase | null {
	switch (reason.kind) {
		case 'code':
			return codeWords(reason);
		case 'data':
			return phrase`because base reads ${{ code: shortPath(reason.path) }}, which changed`;
		case 'resolution':
			return phrase`because ${{ code: reason.specifier }} may be another module for ${{ code: shortPath(reason.path) }}`;
		case 'audit':
			return phrase`because the audit of ${{ code: reason.cell }} was red`;
		case 'always':
			return null;
		case 'unseen':
			return phrase`because coverage is incomplete: ${UNSEEN_WORDS[reason.unseen]} ${{ code: reason.detail }}`;
	}
}

const UNSEEN_WORDS = {
	process: 'base started',
	native: 'base loaded',
	source: 'base ran other code than the file',
	varies: 'it differs between two runs of',
	failed: 'it could not be measured:',
} as const;

function codeWords({ change, user, callsPerRequest }: Extract<ImpactReason, { readonly kind: 'code' }>): Phrase {
	const often = callsPerRequest > 0 ? `${perRequest(callsPerRequest)}× a request` : 'runs at start';
	if (user === null) return phrase`because ${nameWords(change)} changed (${placeWords(change)}, ${often})`;
	return phrase`because ${nameWords(change)} changed (${placeWords(change)}), which ${{ code: user }} uses (${often})`;
}

function nameWords({ kind, name, path }: Place): Phrase {
	return kind === 'file' ? phrase`${{ code: shortPath(path) }}` : phrase`${{ code: name }}`;
}

function placeWords({ kind, path, line }: Place): Phrase {
	return kind === 'file' ? phrase`the whole file` : phrase`${{ code: `${shortPath(path)}:${line}` }}`;
}

/** Returns the path from the name of its package on. */
export function shortPath(path: string): string {
	const at = path.lastIndexOf(MODULES);
	return at < 0 ? path : path.slice(at + MODULES.length);
}

function perRequest(calls: number): string {
	if (calls < 0.05) return '< 0.1';
	return calls < 100 ? calls.toFixed(1) : formatCount(Math.round(calls));
}

/** Returns which changed code no scenario runs; null if all runs, or if that is unknown. */
export function notExercised({ changes, notExercised: count }: ChangedCode): Phrase | null {
	const first = changes.find(({ cells }) => cells.length === 0);
	if (!first || count === null) return null;
	const more = count > 1 ? ` and ${formatCount(count - 1)} more` : '';
	const place = first.kind === 'file' ? phrase`` : phrase` (${placeWords(first)})`;
	return phrase`Changed but not exercised by any scenario: ${nameWords(first)}${place}${more}.`;
}
