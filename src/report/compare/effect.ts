import { consequenceOf } from '../../judge/consequence.ts';
import { exitCode } from '../../judge/gate.ts';
import { countOf } from '../../text/numbers.ts';
import { joinWords, type Phrase, phrase } from '../../text/phrase.ts';
import { EXIT } from '../../types/errors.ts';
import type { Result } from '../../types/result.ts';
import type { Gate } from '../../types/verdict.ts';
import { isShardMissing } from '../shard-lines.ts';
import { describeAcceptance, describeOpen } from './acceptance-words.ts';
import type { Audience } from './audience.ts';
import { rowsWith } from './fault-words.ts';
import { nounOf, type Row } from './rows.ts';

/** Effect of a result on the check or the exit code. */
export interface Effect {
	readonly label: 'Check' | 'Exit code';
	readonly words: Phrase;
}

/** GitHub's colour of each conclusion. */
export const COLOURS = { success: 'green', failure: 'red', neutral: 'neutral', cancelled: 'grey' } as const;

/** Replaces green if a fact could not be verified. */
export const UNVERIFIED: Phrase = [`${COLOURS.neutral}. Nothing is blocked, but it could not be verified.`];

/** Returns the check's colour, or the exit code without a check, with the reason unless all is well. */
export function describeEffect(result: Result, rows: readonly Row[], audience: Audience): Effect {
	const { gate: mode, adopting = false } = audience;
	if (mode === undefined) {
		// The exit code of the run itself, because `judge` repeats its report word for word.
		const interrupted = result.ended === 'interrupted';
		const code = interrupted ? EXIT.interrupted : exitCode(result.gate, result.onInconclusive);
		const why = interrupted ? [', because the run was interrupted'] : reasonOf(result, rows);
		return { label: 'Exit code', words: phrase`${String(code)}${why}.` };
	}
	const rules = { gate: mode, onInconclusive: result.onInconclusive, adopting };
	const { checkConclusion } = consequenceOf({ kind: 'compared', result }, rules);
	if (adopting && checkConclusion === 'neutral') return { label: 'Check', words: tellAdopting() };
	const colour = COLOURS[checkConclusion];
	if (checkConclusion === 'success' && (audience.doubts ?? []).length > 0) {
		return { label: 'Check', words: UNVERIFIED };
	}
	if (result.ended === 'interrupted' && checkConclusion === 'cancelled') {
		return { label: 'Check', words: [`${colour} (cancelled), because the run was interrupted.`] };
	}
	const enforced = consequenceOf({ kind: 'compared', result }, { ...rules, gate: 'enforce' });
	if (checkConclusion !== enforced.checkConclusion) {
		return { label: 'Check', words: phrase`${colour}. ${tellAdvisory(audience)}` };
	}
	return { label: 'Check', words: phrase`${colour}${reasonOf(result, rows)}.` };
}

export function tellAdopting(): Phrase {
	return [`${COLOURS.neutral}, because no config of the base branch applies yet.`];
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

/**
 * Returns the effect of open rows under the policy. A row that a lost machine may have left unmeasured never counts as
 * green.
 */
export function countsAs({ gate, onInconclusive }: Pick<Result, 'gate' | 'onInconclusive'>): string {
	return gate.neutral === 'at-best' && onInconclusive === 'pass' ? 'is neutral at best' : `counts as ${onInconclusive}`;
}

/** Begins with its punctuation. */
function reasonOf(result: Result, rows: readonly Row[]): Phrase {
	const { gate, onInconclusive } = result;
	const policy = { code: `on-inconclusive: ${onInconclusive}` };
	const accepted = describeAcceptance(result);
	if (accepted) {
		const red = describeOpen(result);
		return red ? phrase`, because nobody accepted ${red}. ${accepted}` : reasonAccepted(result, rows, accepted);
	}
	switch (gate.outcome) {
		case 'pass':
			return [];
		case 'fail':
			return [`, because ${whyRed(rows)}`];
		case 'error':
			return [`, because ${whyNothing(gate, rows)}`];
		case 'inconclusive': {
			if (gate.neutral === 'always') return [`, which blocks nothing, because ${whyNeutral(rows)}`];
			if (onInconclusive === 'fail') return phrase`, because of ${policy}`;
			if (gate.neutral) return [`, which blocks nothing, because ${whyAtBest(rows)}`];
			return onInconclusive === 'pass'
				? phrase`, only because of ${policy}`
				: phrase`, which blocks nothing, because of ${policy}`;
		}
	}
}

/** Rows that are not accepted decide. */
function reasonAccepted({ gate, onInconclusive }: Result, rows: readonly Row[], accepted: Phrase): Phrase {
	const { outcome, neutral } = gate;
	if (outcome === 'error') return phrase`, because nothing was measured. ${accepted}`;
	if (neutral === 'always') return phrase`, which blocks nothing, because ${whyNeutral(rows)}. ${accepted}`;
	if (outcome === 'inconclusive' && onInconclusive === 'fail') {
		return phrase`, because of ${{ code: `on-inconclusive: ${onInconclusive}` }}. ${accepted}`;
	}
	if (neutral) return phrase`, which blocks nothing, because ${whyAtBest(rows, ' for the rest')}. ${accepted}`;
	const open = rows.filter((row) => row.verdict === 'inconclusive').length;
	const undecided = `${countOf(open, nounOf(rows))} could not be decided`;
	return phrase`, because ${accepted}${open === 0 ? '' : `. ${undecided}, which blocks nothing`}`;
}

function whyAtBest(rows: readonly Row[], forWhat = ''): string {
	const isAllOfShards = rows.every((row) => row.verdict !== 'invalid') && rows.some(isShardMissing);
	return isAllOfShards ? 'not every shard finished' : `head may not be to blame${forWhat}`;
}

function whyNeutral(rows: readonly Row[]): string {
	return rowsWith('base', rows).length > 0 ? 'base is broken' : 'base is broken too';
}

function whyNothing({ neutral }: Gate, rows: readonly Row[]): string {
	const broken = rowsWith('base', rows).length + rowsWith('both', rows).length > 0;
	const why = whyRed(rows) || (neutral === 'always' && broken ? whyNeutral(rows) : '');
	return why === '' ? 'nothing is known' : `${why}, so nothing was measured`;
}

function whyRed(rows: readonly Row[]): string {
	const noun = nounOf(rows);
	const kinds = ['head', 'answers', 'removed', 'drift'] as const;
	const [broken, changed, gone, drift] = kinds.map((kind) => rowsWith(kind, rows).length);
	const reasons = [
		...(rows.some(({ verdict }) => verdict === 'regressed') ? [`a ${noun} got worse by more than is allowed`] : []),
		...(broken ? [`head broke ${broken === 1 ? `a ${noun}` : countOf(broken, noun)}`] : []),
		...(changed ? ['head answers differently from base'] : []),
		...(drift ? ['head adds to the drift of the main branch'] : []),
		...(gone ? [`${gone === 1 ? `a ${noun} of base is` : `${countOf(gone, noun)} of base are`} gone in head`] : []),
	];
	return joinWords(reasons);
}
