import { formatCount } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import { SIDES, type Side } from '../../types/units.ts';
import { nameOf, nounOf, type Row } from './rows.ts';

/** Rows named per side before the rest becomes a number. */
const MOST_NAMED = 3;

/** How a side fails, by the code of its fault. A port that something else holds is no fault of a side. */
const FAILINGS: Readonly<Record<string, string>> = {
	'wrong-status': 'answers wrongly',
	'wrong-header': 'answers wrongly',
	'wrong-body': 'answers wrongly',
	'status-limit': 'answers wrongly',
	'unexpected-answers': 'answers wrongly under load',
	'changed-under-load': 'answers wrongly under load',
	'connection-errors': 'drops connections under load',
	'no-answer': 'does not answer',
	'no-answers': 'does not answer',
	crashed: 'crashed',
	restarted: 'crashed',
	'exited-at-start': 'does not start',
	'never-listened': 'does not start',
};

/** How the faults of one side begin; one that names both sides is neither's alone. */
const BLAME =
	/^(?:(?:a process of )?the |[\d.]+ % of the (?:answers of |bodies of |sampled bodies of ))?(base|head) (?!and )/i;

/** Returns the side whose fault made a row invalid; null when neither side, or both, may be at fault. */
export function sideAtFault({ verdict, cell }: Row): Side | null {
	const [fault] = cell.warnings;
	if (verdict !== 'invalid' || !fault || !Object.hasOwn(FAILINGS, fault.code)) return null;
	const [, side = ''] = BLAME.exec(fault.message) ?? [];
	return SIDES.find((one) => one === side.toLowerCase()) ?? null;
}

/** Returns the sides that are broken, base first. */
export function brokenSides(rows: readonly Row[]): readonly Side[] {
	return SIDES.filter((side) => rows.some((row) => sideAtFault(row) === side));
}

/**
 * Returns which side is broken and how, without a full stop: `Head is broken: json-post answers wrongly, static-file crashed`; null
 * when no fault is a side's own. `all` are the rows of the report.
 */
export function describeBroken(all: readonly Row[]): Phrase | null {
	const sides = brokenSides(all);
	if (sides.length === 0) return null;
	return joinPhrases(
		sides.map((side) => {
			const own = all.filter((row) => sideAtFault(row) === side);
			const named = own
				.slice(0, MOST_NAMED)
				.map((row) => phrase`${shortName(row, all)} ${FAILINGS[row.cell.warnings[0]?.code ?? ''] ?? ''}`);
			const left = own.length - named.length;
			const more = left > 0 ? ` and ${formatCount(left)} more` : '';
			return phrase`${side === 'head' ? 'Head' : 'Base'} is broken: ${joinPhrases(named, ', ')}${more}`;
		}),
		'. ',
	);
}

/** The scenario alone where every row is a scenario of its own. */
function shortName(row: Row, all: readonly Row[]): { readonly code: string } {
	return nounOf(all) === 'scenario' ? { code: row.scenario } : nameOf(row);
}
