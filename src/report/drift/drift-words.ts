import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatInterval } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { Audience } from '../compare/audience.ts';
import { headWord } from '../compare/fault-words.ts';
import { labelOf, nameOf } from '../compare/rows.ts';
import { branchOf, type DriftRow, formatDriftLimit, isWorse, shownAddition } from './drift-rows.ts';

/** Returns whether a row gets a line: it was measured, and main is or seems below its anchor, or would be with head. */
export function isTold(row: DriftRow): boolean {
	const { verdict, adds, main } = row.drift;
	if (adds === null || verdict === 'level') return false;
	return verdict !== 'unsettled' || isWorse(row, main.change);
}

/**
 * Returns the line of a row: `main is −3.1 % [−3.9 … −2.3] requests/s since v5.2.0; this pull request adds −1.2 %.` For an unsettled level:
 * `main was last measured at −12.0 % requests/s since v5.2.0; one baseline does not settle it.`
 */
export function describeRowDrift(drifting: DriftRow, audience: Audience): Phrase {
	const { row, drift } = drifting;
	const { main, anchor } = drift;
	const branch = { text: branchOf(drift) };
	const since = { code: plainText(anchor, NAME_LIMIT) };
	if (drift.verdict === 'unsettled') {
		const measured = phrase`${{ strong: formatChange(main.change) }} ${labelOf(row.cell.metric)} since ${since}`;
		return phrase`${nameOf(row)}: ${branch} was last measured at ${measured}; one baseline does not settle it.`;
	}
	const stands = phrase`${{ strong: formatChange(main.change) }} ${formatInterval(main)} ${labelOf(row.cell.metric)}`;
	const head = describeHead(drifting, audience);
	const limit = drift.verdict === 'drifted' ? ` (drift: only ${formatDriftLimit(drifting)} is allowed)` : '';
	return phrase`${nameOf(row)}: ${branch} is ${stands} since ${since}${limit}${head}.${describeSum(drifting)}`;
}

function describeHead(drifting: DriftRow, audience: Audience): Phrase {
	const adds = shownAddition(drifting);
	if (adds === null) return phrase`; no significant change in ${headWord(audience)}`;
	const verb = isWorse(drifting, adds) ? 'adds' : 'gives back';
	return phrase`; ${headWord(audience)} ${verb} ${formatChange(adds)}`;
}

function describeSum(drifting: DriftRow): Phrase {
	const { verdict, policy, total } = drifting.drift;
	if (verdict !== 'adds') return [];
	const limit = formatDriftLimit(drifting);
	const enforced = policy === 'enforce' ? '' : ', but not enforced';
	return phrase` Together that is ${{ strong: formatChange(total) }}, and only ${limit} is allowed${enforced}.`;
}
