import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatRange } from '../../text/numbers.ts';
import type { Annotation, Failure, GateMode } from '../../types/action-run.ts';
import type { CellResult, Result } from '../../types/result.ts';
import { formatLimit, metricWord, orderCells, rowOf } from '../compare/rows.ts';

/** A line of a file of the repository. */
export interface Place {
	readonly path: string;
	/** 1-based. */
	readonly line: number;
}

/** Where annotations may stand. */
export interface Places {
	/** Where a scenario is defined; null when no file of the repository says. */
	readonly lineOf: (scenario: string) => Place | null;
	/** Path of the config in the repository: its first line stands in for a scenario without a line of its own. */
	readonly configPath?: string;
}

/** GitHub takes 50 a request; beyond two of those nobody reads them, and the summary has every row. */
const MOST_ANNOTATIONS = 100;

/**
 * Returns one annotation per regressed and per invalid row, worst first, on the line of its scenario, else on the first line of
 * the config; rows of neither get none. A regression is a `failure` only when it turns the check red.
 */
export function annotateRows(result: Result, gate: GateMode, places: Places): readonly Annotation[] {
	const red = gate === 'enforce' && result.gate.outcome === 'fail';
	return orderCells(result.cells)
		.filter(({ verdict }) => verdict === 'regressed' || verdict === 'invalid')
		.slice(0, MOST_ANNOTATIONS)
		.flatMap((cell) => {
			const place = placeOf(cell.scenario, places);
			const level = cell.verdict === 'regressed' && red ? 'failure' : 'warning';
			const title = plainText(`${cell.server}/${cell.scenario} ${cell.verdict}`, 2 * NAME_LIMIT);
			return place ? { path: place.path, line: place.line, level, title, message: describeCell(cell) } : [];
		});
}

function placeOf(scenario: string, { lineOf, configPath }: Places): Place | null {
	return lineOf(scenario) ?? (configPath === undefined ? null : { path: configPath, line: 1 });
}

/** Returns one annotation per problem of a config that names its line, as `benchgate.yml:7: …` does. */
export function annotateProblems(failure: Failure, { configPath }: Places): readonly Annotation[] {
	if (!failure.usage || configPath === undefined) return [];
	const lines = [...(failure.where ? [`${failure.where}: ${failure.message}`] : []), ...failure.message.split('\n')];
	return lines
		.flatMap((text): Annotation[] => {
			const [, path, line, words = ''] = /^([^:\s]+):(\d{1,7}): (.+)/.exec(text) ?? [];
			if (path !== configPath || Number(line) < 1) return [];
			const message = plainText(words, MESSAGE_LIMIT);
			return [{ path, line: Number(line), level: 'failure', title: 'benchgate config', message }];
		})
		.slice(0, MOST_ANNOTATIONS);
}

function describeCell(cell: CellResult): string {
	const row = rowOf(cell, []);
	const name = `${row.server}/${row.scenario}`;
	if (cell.verdict === 'invalid') {
		return `${name} could not be measured: ${plainText(cell.warnings[0]?.message ?? 'see the report', MESSAGE_LIMIT)}`;
	}
	const limits = `${formatRange(cell.interval)}; allowed: ${formatLimit(row)}; ${countOf(cell.rounds, 'round')}`;
	return `${name}: ${row.change} ${metricWord(row)} from base to head (${limits}).`;
}
