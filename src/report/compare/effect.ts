import { consequenceOf } from '../../judge/consequence.ts';
import { exitCode } from '../../judge/gate.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { GateMode } from '../../types/action-run.ts';
import { EXIT } from '../../types/errors.ts';
import type { Result } from '../../types/result.ts';
import { brokenSides } from './broken-side.ts';
import { nounOf, type Row } from './rows.ts';

/** What a report knows of its readers beyond the result; nothing on the command line. */
export interface Audience {
	/** Whether a failed gate turns the check red; absent where there is no check, but an exit code. */
	readonly gate?: GateMode;
	/** Label that accepts a regression; absent or null where there is no pull request to put it on. */
	readonly acceptLabel?: string | null;
}

/** What a result does to the check, or to the build that ran the command. */
export interface Effect {
	readonly label: 'Check' | 'Exit code';
	/** Ends in a full stop. */
	readonly words: Phrase;
}

/** What GitHub shows for each conclusion of a check. */
export const COLOURS = { success: 'green', failure: 'red', neutral: 'neutral', cancelled: 'grey' } as const;

/** Returns the colour of the check, or the exit code where there is none, and why it is that one unless all is well. */
export function describeEffect(result: Result, rows: readonly Row[], audience: Audience): Effect {
	const { gate: mode } = audience;
	if (mode === undefined) {
		// Of the run: `judge` repeats its report word for word.
		const interrupted = result.ended === 'interrupted';
		const code = interrupted ? EXIT.interrupted : exitCode(result.gate, result.onInconclusive);
		const why = interrupted ? [', because the run was interrupted'] : reasonOf(result, rows);
		return { label: 'Exit code', words: phrase`${String(code)}${why}.` };
	}
	const rules = { gate: mode, onInconclusive: result.onInconclusive };
	const { checkConclusion } = consequenceOf({ kind: 'compared', result }, rules);
	const colour = COLOURS[checkConclusion];
	const policy = result.gate.outcome === 'inconclusive' && result.onInconclusive === 'neutral';
	if (checkConclusion === 'neutral' && !policy) {
		return { label: 'Check', words: phrase`${colour}. Nothing is blocked, because of ${{ code: 'gate: advisory' }}.` };
	}
	return { label: 'Check', words: phrase`${colour}${reasonOf(result, rows)}.` };
}

/** Why, with what must stand before it. */
function reasonOf({ gate, onInconclusive }: Result, rows: readonly Row[]): Phrase {
	if (gate.accepted) {
		const by = { code: plainText(gate.accepted.by, NAME_LIMIT) };
		const how = gate.accepted.via === 'label' ? 'with a label' : 'in the description';
		const reason = plainText(gate.accepted.reason ?? '', MESSAGE_LIMIT);
		const why = reason === '' ? ', without a reason' : phrase`: “${{ text: reason }}”`;
		const slow = rows.filter((row) => row.verdict === 'regressed').length;
		const all = slow === 1 ? 'the slowdown' : slow === 2 ? 'both slowdowns' : `all ${slow} slowdowns`;
		const open = rows.filter((row) => row.verdict === 'inconclusive').length;
		const rest = open === 0 ? '' : `. ${countOf(open, nounOf(rows))} could not be decided, which blocks nothing`;
		return phrase`, because ${by} accepted ${all} ${how}${why}${rest}`;
	}
	const policy = { code: `on-inconclusive: ${onInconclusive}` };
	switch (gate.outcome) {
		case 'pass':
			return [];
		case 'fail':
			return [`, because a ${nounOf(rows)} got worse by more than is allowed`];
		case 'error':
			return [', because nothing is known'];
		case 'inconclusive': {
			if (onInconclusive === 'fail') return phrase`, because of ${policy}`;
			const still = brokenSides(rows).includes('head') ? ' although head is broken,' : '';
			const only = phrase`,${still} only because of ${policy}`;
			return onInconclusive === 'pass' ? only : phrase`, which blocks nothing, because of ${policy}`;
		}
	}
}
