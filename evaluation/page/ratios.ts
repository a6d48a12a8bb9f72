/** Time of rules that are no worse than benchgate, relative to benchgate's. */
import { NONE } from '../../src/text/numbers.ts';
import type { Fraction, Seconds } from '../../src/types/units.ts';
import type { MatrixResult, RuleAt, RuleResult } from '../results.ts';
import { dropText, plain } from './figures.ts';
import { figures, type Table, tableOf, words } from './section.ts';

/** The default, used in replays of benchgate on single cells. */
const THRESHOLD: Fraction = 0.05;
/** Powers this close count as equal: replays share rounds. */
const ALIKE: Fraction = 0.05;
const SINGLE =
	'How many times as long as benchgate in a duet other rules take for one cell, by medians: those without more false alarms that find some drop as often';

/** Benchgate's time and power for a drop. */
interface Own {
	readonly seconds: Seconds;
	readonly power: Fraction;
}

/**
 * Returns the table for one cell, and one for each matrix that was replayed with a drop in one of its cells and the
 * threshold of `rules`: there other rules take as long for every cell as for one, and all cells but one have no drop.
 * `rules` begin with benchgate in a duet. Empty without a rule that is no worse.
 */
export function ratioTables(rules: readonly RuleResult[], matrices: readonly MatrixResult[]): readonly Table[] {
	const [ours, ...others] = rules;
	if (!ours) return [];
	const drops = dropsOf(rules).filter((drop) => drop === 0 || shareAt(ours, drop) > shareAt(ours, 0));
	const equals = others.filter(
		(row) =>
			!row.rule.startsWith('benchgate') &&
			shareAt(row, 0) <= shareAt(ours, 0) &&
			drops.some((drop) => drop > 0 && shareAt(row, drop) >= shareAt(ours, drop) - ALIKE),
	);
	if (equals.length === 0) return [];
	const table = (cells: number, ownAt: (drop: Fraction) => Own | null, title: string) => {
		const columns = drops.flatMap((drop) => {
			const own = ownAt(drop);
			const label = drop === 0 ? 'no drop' : dropText(drop);
			return own ? [figures<RuleResult>(label, (row) => ratioText(row, { drop, cells, own }))] : [];
		});
		return tableOf([words<RuleResult>('rule', ({ title }) => title), ...columns], equals, title);
	};
	return [
		table(1, (drop) => ownOf(ours, drop), SINGLE),
		...matrices
			.filter(({ power, threshold }) => power.length > 0 && threshold === THRESHOLD)
			.map((matrix) => table(matrix.cells, (drop) => ownOfMatrix(matrix, drop), matrixTitle(matrix))),
	];
}

function matrixTitle({ cells }: MatrixResult): string {
	return `The same for ${cells} cells, one of them with the drop: others measure each cell in processes of its own`;
}

function ownOf(ours: RuleResult, drop: Fraction): Own | null {
	const at = find(ours, drop);
	return at ? { seconds: at.seconds.median, power: shareAt(ours, drop) } : null;
}

function ownOfMatrix({ seconds, redGates, power }: MatrixResult, drop: Fraction): Own | null {
	const at = drop === 0 ? { red: redGates, seconds } : power.find((one) => one.drop === drop);
	return at ? { seconds: at.seconds.median, power: at.red.count / at.red.of } : null;
}

function ratioText(row: RuleResult, { drop, cells, own }: { drop: Fraction; cells: number; own: Own }): string {
	const [slower, same] = [find(row, drop), find(row, 0)];
	if (!slower || !same) return NONE;
	const more = shareAt(row, drop) - own.power;
	if (drop > 0 && more < -ALIKE) return 'less power';
	const measured = cells > 1 ? [slower, same] : [slower];
	const seconds = slower.seconds.median + (cells - 1) * same.seconds.median;
	const text = `${measured.some(wouldGoOn) ? '≥ ' : ''}${plain(seconds / own.seconds, 1)}`;
	return drop > 0 && more > ALIKE ? `${text} (more power)` : text;
}

/** At least half of its replays ran out of rounds, so its median is a lower limit. */
function wouldGoOn({ undecided }: RuleAt): boolean {
	return undecided.count > undecided.of / 2;
}

/** All drops of the replays, ascending. */
export function dropsOf(rules: readonly RuleResult[]): number[] {
	return [...new Set(rules.flatMap((rule) => rule.at.map(({ drop }) => drop)))].sort((one, other) => one - other);
}

function find({ at }: RuleResult, drop: Fraction): RuleAt | undefined {
	return at.find((one) => one.drop === drop);
}

function shareAt(row: RuleResult, drop: Fraction): number {
	const red = find(row, drop)?.red;
	return red && red.of > 0 ? red.count / red.of : 0;
}
