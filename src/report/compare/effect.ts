import { consequenceOf } from '../../judge/consequence.ts';
import { exitCode } from '../../judge/gate.ts';
import { countOf } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import { EXIT } from '../../types/errors.ts';
import type { Result } from '../../types/result.ts';
import { isShardMissing } from '../shard-words.ts';
import { describeAcceptance, describeOpen } from './acceptance-words.ts';
import type { Audience } from './audience.ts';
import { rowsWith } from './fault-words.ts';
import { nounOf, type Row } from './rows.ts';

export interface Effect {
	readonly label: 'Check' | 'Exit code';
	readonly words: Phrase;
}

export const COLOURS = { success: 'green', failure: 'red', neutral: 'neutral', cancelled: 'grey' } as const;

/** Replaces green if a fact could not be verified. */
export const UNVERIFIED: Phrase = [`${COLOURS.neutral} (does not block merging), because it could not be verified.`];

/** Returns exit code or the check's colour, with its reason; null if the title implies it. */
export function describeEffect(result: Result, rows: readonly Row[], audience: Audience): Effect | null {
	const { gate: mode, adopting = false } = audience;
	if (mode === undefined) {
		// `judge` repeats the report word for word, so this is the run's own exit code.
		const interrupted = result.ended === 'interrupted';
		const code = interrupted ? EXIT.interrupted : exitCode(result.gate, result.onInconclusive);
		const why = interrupted ? [', because the run was interrupted'] : reasonOf(result, rows, '');
		return { label: 'Exit code', words: phrase`${String(code)}${why}.` };
	}
	const rules = { gate: mode, onInconclusive: result.onInconclusive, adopting };
	const { checkConclusion } = consequenceOf({ kind: 'compared', result }, rules);
	const check = (words: Phrase): Effect => ({ label: 'Check', words });
	if (adopting && checkConclusion === 'neutral') return check(tellAdopting());
	const colour = COLOURS[checkConclusion];
	if (checkConclusion === 'success' && (audience.doubts ?? []).length > 0) return check(UNVERIFIED);
	if (result.ended === 'interrupted' && checkConclusion === 'cancelled') {
		return check([`${colour} (cancelled), because the run was interrupted.`]);
	}
	const enforced = consequenceOf({ kind: 'compared', result }, { ...rules, gate: 'enforce' });
	if (checkConclusion !== enforced.checkConclusion) {
		return check(phrase`${colour}. ${tellAdvisory(audience)}`);
	}
	const why = reasonOf(result, rows, ' (does not block merging)');
	return why.length === 0 ? null : check(phrase`${colour}${why}.`);
}

export function tellAdopting(): Phrase {
	return [`${COLOURS.neutral} (does not block merging), because no config of the base branch applies yet.`];
}

export function tellAdvisory({
	answersCommand,
	outsidePulls,
	advisoryUntil: until,
}: Pick<Audience, 'answersCommand' | 'outsidePulls' | 'advisoryUntil'>): Phrase {
	if (answersCommand) return phrase`A ${{ code: '/benchgate' }} comment blocks nothing.`;
	if (until === undefined && outsidePulls) return ['Outside of pull requests and merge queues nothing is blocked.'];
	if (until === undefined) return phrase`Nothing is blocked, because of ${{ code: 'gate: advisory' }}.`;
	return phrase`Nothing is blocked up to and including ${until} (UTC), because of ${{ code: 'enforce-after' }}. After that day red blocks.`;
}

/** Returns the effect of open rows. A row that a lost machine may have left unmeasured is never green. */
export function countsAs({ gate, onInconclusive }: Pick<Result, 'gate' | 'onInconclusive'>): string {
	return gate.neutral === 'at-best' && onInconclusive === 'pass' ? 'is neutral at best' : `counts as ${onInconclusive}`;
}

/** Begins with its punctuation. Empty if the headline gives the reason. */
function reasonOf(result: Result, rows: readonly Row[], harmless: string): Phrase {
	const neutral = (why: string | Phrase): Phrase => phrase`${harmless}, because ${why}`;
	const { gate, onInconclusive } = result;
	const policy = { code: `on-inconclusive: ${onInconclusive}` };
	const accepted = describeAcceptance(result);
	if (accepted) {
		const red = describeOpen(result);
		return red ? phrase`: ${red} not accepted. ${accepted}` : reasonAccepted(result, rows, accepted, neutral);
	}
	switch (gate.outcome) {
		case 'pass':
		case 'fail':
			return [];
		case 'error':
			return gate.neutral === 'always' ? neutral(whyBlameless(rows)) : [];
		case 'inconclusive': {
			if (gate.neutral === 'always') return neutral(whyNeutral(rows));
			if (onInconclusive === 'fail') return phrase`, because of ${policy}`;
			if (gate.neutral) return neutral(whyAtBest(rows));
			return onInconclusive === 'pass' ? phrase`, only because of ${policy}` : neutral(phrase`of ${policy}`);
		}
	}
}

/** Unaccepted rows decide. */
function reasonAccepted(
	{ gate, onInconclusive }: Result,
	rows: readonly Row[],
	accepted: Phrase,
	neutral: (why: string) => Phrase,
): Phrase {
	const { outcome, neutral: isNeutral } = gate;
	if (outcome === 'error') return phrase`, because nothing was measured. ${accepted}`;
	if (isNeutral === 'always') return phrase`${neutral(whyNeutral(rows))}. ${accepted}`;
	if (outcome === 'inconclusive' && onInconclusive === 'fail') {
		return phrase`, because of ${{ code: `on-inconclusive: ${onInconclusive}` }}. ${accepted}`;
	}
	if (isNeutral) return phrase`${neutral(whyAtBest(rows, ' for the rest'))}. ${accepted}`;
	const open = rows.filter((row) => row.verdict === 'inconclusive').length;
	return phrase`, because ${accepted}${open === 0 ? '' : `. ${countOf(open, nounOf(rows))} could not be decided`}`;
}

function whyAtBest(rows: readonly Row[], forWhat = ''): string {
	const isAllOfShards = rows.every((row) => row.verdict !== 'invalid') && rows.some(isShardMissing);
	return isAllOfShards ? 'not every shard finished' : `head may not be to blame${forWhat}`;
}

function whyNeutral(rows: readonly Row[]): string {
	return rowsWith('base', rows).length > 0 ? 'base is broken' : 'both sides are broken';
}

function whyBlameless(rows: readonly Row[]): string {
	const broken = rowsWith('base', rows).length + rowsWith('both', rows).length > 0;
	return broken ? whyNeutral(rows) : 'nothing could be compared';
}
