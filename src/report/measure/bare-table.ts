import { findPreset } from '../../config/measure/presets.ts';
import { writeRank } from '../../rank/rank.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { INTERVAL_95, NONE } from '../../text/numbers.ts';
import { METRICS } from '../../types/metric.ts';
import type { MeasureRow } from '../../types/ranking/measure.ts';
import type { MeasuredScenario, MeasureSetup } from '../../types/ranking/measure-setup.ts';
import type { WordedTable } from '../worded-table.ts';
import { figureColumnsOf, own, writeFigure, writeShare, writeShareInterval } from './measure-figures.ts';
import { nameOf, STATE_WORDS } from './measure-words.ts';

/** Returns the table of a scenario that measures something else than load in windows: ranked by the first of its metrics. */
export function bareTable(
	rows: readonly MeasureRow[],
	{ name, metrics: [ranked = 'throughput'] = [], reference }: MeasuredScenario,
	{ preset }: Pick<MeasureSetup, 'preset'>,
): WordedTable {
	const { label } = METRICS[ranked];
	const middles = findPreset(preset)?.aggregate === 'mean' ? 'Means' : 'Medians';
	const others = figureColumnsOf(rows).filter((column) => !column.label.startsWith(`${label},`));
	const of = reference === null ? 'of the reference' : `of ${plainText(reference, NAME_LIMIT)}`;
	const waited = ranked === 'hot-reload' ? ' 200 ms of each hot reload are node --watch waiting.' : '';
	const right = (text: string) => ({ label: text, align: 'right' as const });
	return {
		title: plainText(name, NAME_LIMIT),
		columns: [
			right('rank'),
			{ label: 'server', align: 'left' },
			right(label),
			...(reference === null ? [] : [right(of), right(INTERVAL_95)]),
			...others.map((column) => right(column.label)),
		],
		rows: rows.map((row, at) => [
			own(row.rank === null ? NONE : writeRank(row.rank)),
			nameOf(row.server),
			own(row.state === 'measured' ? writeFigure(row) : STATE_WORDS[row.state]),
			...(reference === null ? [] : [own(writeShare(row)), own(writeShareInterval(row))]),
			...others.map(({ texts }) => own(texts[at] ?? NONE)),
		]),
		note: `${middles} over rounds; each round has fresh processes. Ranked by ${label}, where less is better${reference === null ? '' : `: 50 % ${of} is twice as much`}.${waited}`,
	};
}
