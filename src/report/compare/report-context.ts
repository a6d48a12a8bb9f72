import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatDuration, formatMoment, formatPercent } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Design } from '../../types/config.ts';
import type { Result, RevisionInfo } from '../../types/result.ts';
import { listVersions } from './list-versions.ts';
import type { Row } from './rows.ts';

/** One fact about the whole run. */
export interface ContextLine {
	readonly label: string;
	readonly value: Phrase;
}

const HOW_LOADED: Readonly<Record<Design, string>> = {
	duet: 'loaded both at once on the same CPU',
	alternating: 'loaded them in turn, window by window',
	sequential: 'loaded one after the other',
};

/** Returns what is the same for every row of the result: sides, machine, rounds, limits, method, power, time. */
export function describeContext(result: Result, rows: readonly Row[]): readonly ContextLine[] {
	const smallest = describeSmallestDrop(rows);
	return [
		{ label: 'Base', value: describeRevision(result.base) },
		{ label: 'Head', value: describeRevision(result.head) },
		...listVersions(result.base, result.head).map((value) => ({ label: 'Versions', value })),
		{ label: 'Machine', value: describeMachine(result) },
		{ label: 'Pinning', value: [{ text: plainText(result.environment.pinning, MESSAGE_LIMIT) }] },
		{ label: 'Rounds', value: [describeRounds(result, rows)] },
		{ label: 'Limits', value: [describeLimits(result, rows)] },
		{ label: 'How it was decided', value: describeMethod(result, rows) },
		{ label: 'Gate', value: describeGate(result) },
		...(smallest ? [{ label: 'Smallest drop this run could have seen', value: smallest }] : []),
		{ label: 'Figures', value: [describeFigures(rows)] },
		{ label: 'Time', value: [describeTime(result)] },
		{
			label: 'Made by',
			value: [
				`benchgate `,
				{ text: plainText(result.tool.version, NAME_LIMIT) },
				`, ${formatMoment(result.createdAt)}`,
			],
		},
	];
}

function describeRevision(info: RevisionInfo): Phrase {
	const sha = /^[0-9a-f]{10,}$/.test(info.sha ?? '') ? phrase` (${{ code: info.sha?.slice(0, 10) ?? '' }})` : [];
	const named = info.subject && info.label !== `${info.subject.name}@${info.subject.version}`;
	const subject = named
		? phrase`, ${{ code: plainText(`${info.subject.name}@${info.subject.version}`, NAME_LIMIT) }}`
		: [];
	return phrase`${{ code: plainText(info.label, NAME_LIMIT) }}${sha}${subject}`;
}

function describeMachine({ environment: machine }: Result): Phrase {
	const model = { text: plainText(machine.cpuModel, NAME_LIMIT) };
	const system = { text: plainText(`${machine.os}, kernel ${machine.kernel}, Node ${machine.node}`, 2 * NAME_LIMIT) };
	const memory = (machine.memoryBytes / 2 ** 30).toFixed(1);
	return phrase`${model}, ${countOf(machine.cpus, 'CPU')}, ${memory} GiB memory, ${system}, load average ${machine.loadAverage.toFixed(2)}`;
}

function describeRounds(result: Result, rows: readonly Row[]): string {
	const perRow = rows.map((row) => row.cell.rounds).filter((rounds) => rounds > 0);
	const [fewest, most] = [Math.min(...perRow), Math.max(...perRow)];
	const range = fewest === most ? `${fewest}` : `${fewest} to ${most}`;
	const each = perRow.length > 0 ? `, ${range} per cell` : '';
	return `${result.timing.roundsRun} run${each}; design ${result.design}; seed ${result.seed}`;
}

function describeLimits({ threshold, tolerance }: Result, rows: readonly Row[]): string {
	const own = rows.filter(({ cell }) => cell.threshold !== threshold || cell.tolerance !== tolerance).length;
	const exceptions = own === 0 ? '' : `; ${countOf(own, 'row')} with limits of ${own === 1 ? 'its' : 'their'} own`;
	return `threshold ${formatPercent(threshold)}, tolerance ${formatPercent(tolerance)}${exceptions}`;
}

function describeMethod(result: Result, rows: readonly Row[]): Phrase {
	const confidence = rows.find((row) => row.cell.interval)?.cell.interval?.confidence ?? 0.9;
	return [
		`Each round started a fresh base and a fresh head process, ${HOW_LOADED[result.design]}, and gave one change per cell: a cell is regressed when a drop beyond the tolerance is proven and the estimate lies beyond the threshold, unchanged when a drop of the threshold or more is excluded (5 % error each, over all looks and cells; intervals hold with ${formatPercent(confidence)}).`,
	];
}

function describeGate({ gate }: Result): Phrase {
	const reasons = gate.reasons.slice(0, 3).map((reason) => [{ text: plainText(reason, MESSAGE_LIMIT) }]);
	const more = gate.reasons.length > 3 ? ` (and ${gate.reasons.length - 3} more)` : '';
	const by = gate.accepted ? phrase`, accepted by ${{ code: plainText(gate.accepted.by, NAME_LIMIT) }}` : [];
	return phrase`${{ strong: gate.outcome }}${by}: ${joinPhrases(reasons, ' ')}${more}`;
}

/** Returns the range of thresholds the rows could have decided, with the cells at its ends; null when no row knows. */
function describeSmallestDrop(rows: readonly Row[]): Phrase | null {
	const known = rows
		.flatMap((row) =>
			row.cell.smallestDecidableThreshold === null ? [] : { row, drop: row.cell.smallestDecidableThreshold },
		)
		.sort((a, b) => a.drop - b.drop);
	const [first, last] = [known[0], known.at(-1)];
	if (!first || !last) return null;
	const end = ({ row, drop }: typeof first): Phrase =>
		phrase`${formatPercent(drop)} (${{ code: `${row.server}/${row.scenario}` }})`;
	return first === last ? end(first) : phrase`between ${end(first)} and ${end(last)}`;
}

function describeFigures(rows: readonly Row[]): string {
	const sources = new Set(rows.flatMap(({ cell }) => Object.values(cell.metrics).map(({ source }) => source)));
	const solo =
		'their level is from windows that loaded one side alone; the difference between base and head is the change of the paired rounds';
	const contended = 'from windows in which both sides ran, so compare them only with each other';
	if (sources.size === 0) return 'none';
	if (!sources.has('solo')) return contended;
	return sources.size === 1 ? solo : `${solo}; where a row says otherwise, ${contended}`;
}

function describeTime({ timing, budget, ended }: Result): string {
	const why = {
		decided: 'ended because every cell was decided',
		rounds: 'ended at the planned number of rounds',
		budget: 'ended with the budget',
		interrupted: 'interrupted',
	};
	const share = timing.measuringSeconds > 0 ? ` (${formatPercent(timing.loadSeconds / timing.measuringSeconds)})` : '';
	return `${formatDuration(timing.totalSeconds)} in all, ${formatDuration(timing.measuringSeconds)} measuring, ${formatDuration(timing.loadSeconds)}${share} of it under counted load; budget ${formatDuration(budget)}; ${why[ended]}`;
}
