import { weighResult } from '../../judge/acceptance.ts';
import { blameOf, gateRowOf, needsRebase, redKindOf } from '../../judge/gate-row.ts';
import { explainRow } from '../../judge/row-words.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { capitalised, plainPhrase } from '../../text/phrase.ts';
import type { Annotation, Conclusion, Failure, GateMode } from '../../types/action-run.ts';
import { placeOfRow } from '../../types/metric.ts';
import type { CellResult, Result } from '../../types/result.ts';
import type { Verdict } from '../../types/verdict.ts';
import type { Place } from '../compare/audience.ts';
import { nameOf, orderCells, rowOf } from '../compare/rows.ts';
import { causeOf, whyOf } from '../explain/why.ts';
import { renderCheckSummary } from './comment.ts';
import type { CommentContext } from './comment-context.ts';
import { titleOf } from './conclusion-title.ts';

export interface Places {
	/** Null if no file defines the scenario. */
	readonly lineOf: (scenario: string) => Place | null;
	/** Scenarios without a line are annotated at the first line of this file. */
	readonly configPath?: string;
}

/** GitHub accepts 50 per request. The summary has every row. */
const MOST_ANNOTATIONS = 100;

const MOST_CAUSES = 10;

const ANNOTATED: readonly Verdict[] = ['regressed', 'invalid', 'removed'];

export interface CheckOutput {
	/** Plain text, at most 120 characters. */
	readonly title: string;
	/** Markdown, at most 65,000 bytes. */
	readonly summary: string;
	/** Possibly more than one request can contain. */
	readonly annotations: readonly Annotation[];
}

export function buildCheck(conclusion: Conclusion, context: CommentContext & Places): CheckOutput {
	return {
		title: titleOf(conclusion, context),
		summary: renderCheckSummary(conclusion, context),
		annotations: annotationsOf(conclusion, context),
	};
}

function annotationsOf(conclusion: Conclusion, context: CommentContext & Places): readonly Annotation[] {
	if (conclusion.kind === 'compared')
		return [...annotateRows(conclusion.result, context.gate, context), ...annotateCauses(context)];
	return conclusion.kind === 'failed' ? annotateProblems(conclusion.failure, context) : [];
}

/** Returns annotations of faulty rows at their scenarios' lines, worst first; a `failure` only for red rows. */
export function annotateRows(result: Result, gate: GateMode, places: Places): readonly Annotation[] {
	const red = gate === 'enforce' && (result.gate.outcome === 'fail' || result.gate.outcome === 'error');
	const { open } = weighResult(result);
	const isOpen = ({ server, scenario, metric }: CellResult) =>
		open.some((row) => row.cell === `${server}/${scenario}` && row.metric === metric);
	const faulty = orderCells(result.cells).filter(
		(cell) => ANNOTATED.includes(cell.verdict) || redKindOf(cell) !== null,
	);
	return onePerFault(faulty)
		.slice(0, MOST_ANNOTATIONS)
		.flatMap((cell) => {
			const place = placeOf(cell.scenario, places);
			const level = red && isOpen(cell) ? 'failure' : 'warning';
			const title = plainText(
				`${placeOfRow(`${cell.server}/${cell.scenario}`, cell.metric)} ${wordOf(cell)}`,
				2 * NAME_LIMIT,
			);
			return place ? { path: place.path, line: place.line, level, title, message: describeCell(cell) } : [];
		});
}

/** A fault invalidates the rows of all metrics of a cell. */
function onePerFault(cells: readonly CellResult[]): readonly CellResult[] {
	const keyOf = ({ server, scenario, metric, verdict, warnings }: CellResult) =>
		JSON.stringify([server, scenario, verdict === 'invalid' ? (warnings[0]?.message ?? metric) : metric]);
	return [...Map.groupBy(cells, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** Annotates lines that head changes. They come last, because they are added to a finished check. */
function annotateCauses({ explanation, placeOf: findPlace }: CommentContext): readonly Annotation[] {
	const located = (explanation?.rows ?? []).flatMap((row) => {
		const cause = row.verdict === 'regressed' ? causeOf(row) : null;
		const place = cause && findPlace?.(cause);
		return place ? [{ row, place }] : [];
	});
	const lines = [...Map.groupBy(located, ({ place: { path, line } }) => `${path}:${line}`).values()];
	return lines.slice(0, MOST_CAUSES).flatMap(([first, ...others]) => {
		if (first === undefined) return [];
		const { row, place } = first;
		const more = others.length === 0 ? '' : ` and ${countOf(others.length, 'more row')}`;
		const title = plainText(`Why ${row.server}/${row.scenario}${more} regressed`, 2 * NAME_LIMIT);
		return { ...place, level: 'warning' as const, title, message: plainPhrase(capitalised(whyOf(row))) };
	});
}

function placeOf(scenario: string, { lineOf, configPath }: Places): Place | null {
	return lineOf(scenario) ?? (configPath === undefined ? null : { path: configPath, line: 1 });
}

/** Annotates config problems that name a line, as in `benchgate.yml:7: …`. */
function annotateProblems(failure: Failure, { configPath }: Places): readonly Annotation[] {
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

function wordOf(cell: CellResult): string {
	const words = {
		broken: 'is broken on head only',
		removed: 'is missing in head',
		'answer-changed': 'has different answers',
		'adds-to-drift': 'adds to drift',
	};
	const kind = redKindOf(cell);
	if (kind !== null && kind !== 'regressed') return words[kind];
	const blame = blameOf(cell);
	if (needsRebase(cell)) return 'is newer than base';
	return blame === 'base' ? 'is broken on base only' : blame === 'both' ? 'is broken on both sides' : cell.verdict;
}

function describeCell(cell: CellResult): string {
	const clause = plainPhrase(capitalised(explainRow(gateRowOf(cell), nameOf(rowOf(cell, [])))));
	if (cell.verdict !== 'invalid' && cell.verdict !== 'removed') {
		return `${clause}; ${countOf(cell.rounds, 'round')}.`;
	}
	return `${clause}: ${plainText(cell.warnings[0]?.message ?? 'see the report', MESSAGE_LIMIT)}`;
}
