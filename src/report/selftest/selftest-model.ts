import { selftestExitCode } from '../../judge/selftest/selftest-exit-code.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatDuration, formatMoment, formatPercent, NONE } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { DropResult, SelftestResult, SelftestTrial, ServerSpread, Share, Support } from '../../types/selftest.ts';
import { type Column, column } from '../compare/columns.ts';
import type { WordedTable } from '../worded-table.ts';
import { describeAdvice, describeFigure, describeFinding, describeShare, listFacts } from './selftest-words.ts';

/** What every renderer of a selftest shows. */
export interface SelftestReport {
	readonly trust: SelftestResult['trust'];
	readonly title: string;
	readonly finding: Phrase;
	/** What the command ends with. */
	readonly exitCode: number;
	readonly advice: readonly string[];
	readonly tables: readonly WordedTable[];
	readonly facts: readonly { readonly label: string; readonly value: Phrase }[];
	readonly warnings: readonly Phrase[];
	readonly trials: WordedTable;
	readonly reproduce: string;
}

const TITLES = { sound: 'Sound', unsound: 'Selftest failed', unmeasured: 'Nothing measured' } as const;
const UNDECIDED = 'Nothing decided';

/** One line of the table of verdicts: a drop, or none. */
interface VerdictRow
	extends Pick<DropResult, 'unchanged' | 'inconclusive' | 'improved' | 'achieved' | 'secondsPerTrial'> {
	readonly name: string;
	readonly regressed: Share;
}

/** Returns a selftest as sentences and tables, everything foreign still marked. */
export function buildSelftestReport(result: SelftestResult): SelftestReport {
	return {
		trust: result.trust,
		title: result.trust === 'sound' && result.coverage.all.of === 0 ? UNDECIDED : TITLES[result.trust],
		finding: [{ text: plainText(describeFinding(result), 3 * MESSAGE_LIMIT) }],
		exitCode: selftestExitCode(result),
		advice: describeAdvice(result),
		tables: [verdictTable(result), spreadTable(result), supportTable(result)].filter(({ rows }) => rows.length > 0),
		facts: [
			...listFacts(result).map(([label, value]) => ({ label, value: [{ text: plainText(value, MESSAGE_LIMIT) }] })),
			{ label: 'Machine', value: describeMachine(result) },
			{ label: 'Made by', value: describeMaker(result) },
		],
		warnings: result.warnings.map(
			({ code, message }) =>
				phrase`${{ code: plainText(code, NAME_LIMIT) }}: ${{ text: plainText(message, MESSAGE_LIMIT) }}`,
		),
		trials: trialTable(result.trials),
		reproduce: plainText(result.reproduce, Number.POSITIVE_INFINITY),
	};
}

function verdictTable(result: SelftestResult): WordedTable {
	const columns: readonly Column<VerdictRow>[] = [
		column('head slowed by', ({ name }) => name, 'left'),
		column('called regressed', ({ regressed }) => describeShare(regressed)),
		column('unchanged', ({ unchanged }) => `${unchanged}`),
		column('inconclusive', ({ inconclusive }) => `${inconclusive}`),
		column('improved', ({ improved }) => `${improved}`),
		column('change by CPU time', ({ achieved }) => describeFigure(achieved)),
		column('time each', ({ secondsPerTrial }) => (secondsPerTrial === null ? NONE : formatDuration(secondsPerTrial))),
	];
	const rows =
		result.trust === 'unmeasured'
			? []
			: [sameRow(result), ...result.drops.map((drop) => ({ ...drop, name: formatPercent(drop.drop) }))];
	const note = `A slowdown up to the tolerance of ${formatPercent(result.tolerance)} should not be called regressed; one beyond the threshold of ${formatPercent(result.threshold)} should. Ranges are 95 % intervals. The change by CPU time is how much head was really slowed down.`;
	return tableOf('False alarms and slowdowns found', columns, rows, note);
}

function sameRow({ trials, falseAlarms, falseImprovements }: SelftestResult): VerdictRow {
	const done = trials.filter(({ drop, ended }) => drop === 0 && (ended === 'decided' || ended === 'rounds'));
	const count = (verdict: SelftestTrial['verdict']) => done.filter((trial) => trial.verdict === verdict).length;
	const seconds = done.reduce((sum, trial) => sum + trial.seconds, 0);
	return {
		name: 'nothing',
		regressed: falseAlarms,
		unchanged: count('unchanged'),
		inconclusive: count('inconclusive'),
		improved: falseImprovements,
		achieved: null,
		secondsPerTrial: done.length === 0 ? null : seconds / done.length,
	};
}

function spreadTable({ servers }: SelftestResult): WordedTable {
	const columns: readonly Column<ServerSpread>[] = [
		{ label: 'server', format: ({ server }) => [{ code: plainText(server, NAME_LIMIT) }], align: 'left' },
		column('rounds', ({ rounds }) => `${rounds}`),
		column('noise of a round (SD)', ({ roundSd }) => formatPercent(roundSd)),
		column('without outliers', ({ robustSd }) => formatPercent(robustSd)),
		column('time of a round', ({ secondsPerRound }) => formatDuration(secondsPerRound)),
	];
	return tableOf(
		'Noise',
		columns,
		servers,
		'Noise is the standard deviation of the change between rounds (as a log ratio).',
	);
}

function supportTable({ supports, trust }: SelftestResult): WordedTable {
	const columns: readonly Column<Support>[] = [
		column('budget', ({ budget }) => formatDuration(budget)),
		column('rows', ({ cells }) => `${cells}`),
		column('smallest threshold', ({ threshold }) =>
			threshold === null ? 'none up to 25 %' : formatPercent(threshold),
		),
		{ label: 'because of', format: ({ server }) => [{ code: plainText(server, NAME_LIMIT) }], align: 'left' },
	];
	return tableOf(
		'Thresholds this machine can decide',
		columns,
		// If the gate cannot be trusted, no threshold makes it better.
		trust === 'unsound' ? [] : supports,
		'Assumes that nine rows in ten are clearly unchanged, so that they finish early.',
	);
}

function trialTable(trials: readonly SelftestTrial[]): WordedTable {
	const columns: readonly Column<SelftestTrial>[] = [
		column('trial', ({ trial }) => `${trial}`),
		{
			label: 'server/scenario',
			format: ({ server, scenario }) => [{ code: plainText(`${server}/${scenario}`, NAME_LIMIT) }],
			align: 'left',
		},
		column('head slowed by', ({ drop }) => (drop === 0 ? 'nothing' : formatPercent(drop))),
		column(
			'verdict',
			({ verdict, ended }) => (ended === 'decided' || ended === 'rounds' ? verdict : `${verdict}, cut short`),
			'left',
		),
		column('change', ({ change, interval }) =>
			change === null || interval === null ? NONE : describeFigure({ ...interval, value: change, rounds: 0 }),
		),
		column('interval contains the real change', ({ covered }) => (covered === null ? NONE : covered ? 'yes' : 'no')),
		column('rounds', ({ rounds }) => `${rounds}`),
		column('time', ({ seconds }) => formatDuration(seconds)),
	];
	return tableOf(`All ${countOf(trials.length, 'trial')}`, columns, trials, '');
}

function tableOf<T>(title: string, columns: readonly Column<T>[], rows: readonly T[], note: string): WordedTable {
	return { title, columns, rows: rows.map((row) => columns.map(({ format }) => format(row))), note };
}

function describeMachine({ environment: machine }: SelftestResult): Phrase {
	const system = `${machine.cpuModel}, ${countOf(machine.cpus, 'CPU')}, ${machine.os}, kernel ${machine.kernel}, Node ${machine.node}`;
	return [{ text: plainText(system, MESSAGE_LIMIT) }, `, load average ${machine.loadAverage.toFixed(2)} at the start`];
}

function describeMaker({ tool, createdAt, seed }: SelftestResult): Phrase {
	return [`benchgate `, { text: plainText(tool.version, NAME_LIMIT) }, `, ${formatMoment(createdAt)}, seed ${seed}`];
}
