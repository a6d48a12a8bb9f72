import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatInterval } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { Audience } from '../compare/audience.ts';
import { headWord } from '../compare/fault-words.ts';
import { labelOf, nameOf } from '../compare/rows.ts';
import { branchOf, type DriftRow, formatDriftLimit, isWorse } from './drift-rows.ts';

/** Returns whether a line is said of a row: it was measured, and main is below its anchor, or would be with head. */
export function isTold({ drift }: DriftRow): boolean {
	return drift.verdict !== 'level' && drift.adds !== null;
}

/** Returns the line of a row: `main is −3.1 % [−3.9 … −2.3] requests/s since v5.2.0; this pull request adds −1.2 %.` */
export function describeRowDrift(drifting: DriftRow, audience: Audience): Phrase {
	const { row, drift } = drifting;
	const { main, anchor } = drift;
	const branch = { text: branchOf(drift) };
	const stands = phrase`${{ strong: formatChange(main.change) }} ${formatInterval(main)} ${labelOf(row.cell.metric)}`;
	const since = { code: plainText(anchor, NAME_LIMIT) };
	const head = describeHead(drifting, audience);
	const limit = drift.verdict === 'drifted' ? ` (drift: only ${formatDriftLimit(drifting)} is allowed)` : '';
	return phrase`${nameOf(row)}: ${branch} is ${stands} since ${since}${limit}${head}.${describeSum(drifting)}`;
}

function describeHead(drifting: DriftRow, audience: Audience): Phrase {
	const { adds } = drifting.drift;
	if (adds === null) return [];
	const verb = adds === 0 || isWorse(drifting, adds) ? 'adds' : 'gives back';
	return phrase`; ${headWord(audience)} ${verb} ${formatChange(adds)}`;
}

function describeSum(drifting: DriftRow): Phrase {
	const { verdict, policy, total } = drifting.drift;
	if (verdict !== 'adds') return [];
	const limit = formatDriftLimit(drifting);
	const enforced = policy === 'enforce' ? '' : ', but not enforced';
	return phrase` Together that is ${{ strong: formatChange(total) }}, and only ${limit} is allowed${enforced}.`;
}
