/** A ranking in autocannon's output format. */
import stringWidth from 'string-width';
import { findPreset } from '../../config/ranking/presets.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatCount } from '../../text/numbers.ts';
import { METRICS } from '../../types/metric.ts';
import type { AloneFigures, RateFigures } from '../../types/ranking/load-figures.ts';
import type { RankingResult, RankingRow } from '../../types/ranking/ranking.ts';
import type { RankedScenario } from '../../types/ranking/ranking-setup.ts';
import { plain } from '../document/table.ts';
import { callsOf, describeConnections } from './load-words.ts';
import { writeFigure } from './ranking-figures.ts';
import { buildMeasureReport, type ScenarioReport } from './ranking-model.ts';
import { STATE_WORDS } from './ranking-words.ts';

const NOT_MEASURED = 'not measured';
/** If the load is shorter, there are no rates of single seconds. */
const FEWEST_SECONDS = 2;
const TOO_SHORT = ': a server is loaded for less than 2 s in a round. --duration 2s samples them.';
const LATENCY_TITLES = ['Stat', '2.5%', '50%', '97.5%', '99%', 'Avg', 'Stdev', 'Max'] as const;
const RATE_TITLES = ['Stat', '1%', '2.5%', '50%', '97.5%', 'Avg', 'Stdev', 'Min'] as const;
const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function renderAutocannon(result: RankingResult): string {
	const report = buildMeasureReport(result);
	const sections = report.scenarios.flatMap((scenario, at) => {
		const setup = result.setup.scenarios[at];
		if (setup === undefined) return [];
		const calls = callsOf(result.setup);
		const load = calls ? `${formatCount(calls.counted)} calls` : `${trim(result.setup.timing.soloSeconds)}s test`;
		const unsampled = !calls && result.setup.timing.soloSeconds < FEWEST_SECONDS ? TOO_SHORT : '.';
		const isOneRound = findPreset(result.setup.preset)?.aggregate === 'median-round';
		return [
			...scenario.rows.map((row) => writeRow(row, setup, { load, unsampled, isOneRound })),
			setup.metrics ? writeUnloaded(scenario) : writeSummary(scenario, isOneRound),
		];
	});
	return `${sections.join('\n\n')}\n`;
}

interface Words {
	readonly load: string;
	/** Reason why rates of single seconds are missing, if it is known. */
	readonly unsampled: string;
	/** True on a preset's page. */
	readonly isOneRound: boolean;
}

function writeRow(row: RankingRow, scenario: RankedScenario, words: Words): string {
	const { load, isOneRound } = words;
	const target = `${nameOf(row.server)} @ ${plainText(scenario.request, NAME_LIMIT)}`;
	const { alone } = row;
	if (alone !== null && scenario.metrics) return `Running ${target}\n\n${writeNoLoad(row)}`;
	const head = `Running ${load} of ${target}\n${writeConnections(scenario)}`;
	if (alone === null) {
		const reason = row.reason === null ? '' : `: ${plainText(row.reason, NAME_LIMIT * 4)}`;
		return `${head}\n\n${STATE_WORDS[row.state]}${reason}`;
	}
	return [
		`${head}\n`,
		boxTable(LATENCY_TITLES, [latencyRow(alone)]),
		boxTable(RATE_TITLES, [
			rateRow('Req/Sec', alone.rates?.requests, averageOf(alone, isOneRound).requests, writeNumber),
			rateRow('Bytes/Sec', alone.rates?.bytes, averageOf(alone, isOneRound).bytes, writeBytes),
		]),
		'',
		writeSamples(alone, row.rounds, words),
		'',
		...writeTotals(alone),
	].join('\n');
}

/** For starts and memory, because measuring them takes almost no requests. */
function writeNoLoad(row: RankingRow): string {
	return `no load: ${METRICS[row.judgedBy].label} ${writeFigure(row)}`;
}

/** Computes the average from the totals of all rounds; for a single round, takes its own figures. */
function averageOf({ rates, totals, metrics, bytesPerSecond }: AloneFigures, isOneRound: boolean): Average {
	if (totals && totals.seconds > 0 && !isOneRound) {
		return { requests: totals.requests / totals.seconds, bytes: totals.bytes / totals.seconds };
	}
	return { requests: metrics.throughput ?? rates?.requests.mean ?? null, bytes: bytesPerSecond };
}

interface Average {
	readonly requests: number | null;
	readonly bytes: number;
}

/** Words it like autocannon, or counts calls without connections. */
function writeConnections(scenario: RankedScenario): string {
	const { connections, pipelining } = scenario.load;
	if (scenario.inProcess) return describeConnections(scenario);
	return `${connections} connections${pipelining > 1 ? ` with ${pipelining} pipelining factor` : ''}`;
}

function latencyRow({ latency, metrics }: AloneFigures): string[] {
	const late = metrics['latency-p97.5'];
	const figures = [
		latency?.p2_5,
		latency?.p50,
		latency?.p97_5 ?? late,
		latency?.p99,
		latency?.mean,
		latency?.sd,
		latency?.max,
	];
	return ['Latency', ...figures.map((value) => (value == null ? NOT_MEASURED : `${trim(value)} ms`))];
}

function rateRow(
	name: string,
	rates: RateFigures | undefined,
	mean: number | null,
	write: (value: number) => string,
): string[] {
	const figures = [rates?.p1, rates?.p2_5, rates?.p50, rates?.p97_5, mean, rates?.sd, rates?.min];
	return [name, ...figures.map((value) => (value == null ? NOT_MEASURED : write(value)))];
}

function writeSamples({ rates }: AloneFigures, rounds: number, { unsampled, isOneRound }: Words): string {
	if (rates === undefined) return `Req/Bytes counts were not sampled${unsampled}`;
	const { samples } = rates.requests;
	const which = isOneRound ? `the median one of ${rounds} rounds; the totals are of all` : `${rounds} rounds`;
	const of = rounds > 1 ? `, of ${which}` : '';
	return `Req/Bytes counts sampled once per second.\n# of samples: ${formatCount(samples)}${of}`;
}

function writeTotals({ totals }: AloneFigures): string[] {
	if (totals === undefined) return [`requests and bytes in total: ${NOT_MEASURED}`];
	const { requests, bytes, seconds, errors, timeouts, unexpected } = totals;
	const among = timeouts === undefined ? 'timeouts among them' : `${writeThousands(timeouts)} timeouts`;
	return [
		`${writeThousands(requests)} requests in ${trim(seconds)}s, ${writeBytes(bytes)} read`,
		...(errors > 0 ? [`${writeThousands(errors)} errors (${among})`] : []),
		...(unexpected > 0 ? [`${writeThousands(unexpected)} answers that were not expected`] : []),
	];
}

function writeSummary({ name, rows, ratios }: ScenarioReport, isOneRound: boolean): string {
	const measured = rows.flatMap(({ server, alone }) => (alone === null ? [] : [{ server, alone }]));
	if (measured.length === 0) return `${name}: nothing was measured`;
	const rateOf = (alone: AloneFigures) => writeNumber(averageOf(alone, isOneRound).requests ?? 0);
	const table = boxTable(
		[name, 'Req/Sec', 'Transfer/Sec', 'Latency'],
		measured.map(({ server, alone }) => [
			nameOf(server),
			rateOf(alone),
			writeBytes(averageOf(alone, isOneRound).bytes),
			alone.latency === null ? NOT_MEASURED : `${trim(alone.latency.mean)} ms`,
		]),
	);
	const lines = measured.map(({ server, alone }) => `${nameOf(server)} req/sec: ${rateOf(alone)}`);
	return [table, ...lines, ...(ratios === null ? [] : [plain(ratios)])].join('\n');
}

function writeUnloaded({ name, rows }: ScenarioReport): string {
	const measured = rows.filter(({ alone }) => alone !== null);
	const [first] = measured;
	if (first === undefined) return `${name}: nothing was measured`;
	const lines = measured.map((row) => [nameOf(row.server), writeFigure(row)]);
	return boxTable([name, METRICS[first.judgedBy].label], lines);
}

function nameOf(server: string): string {
	return plainText(server, NAME_LIMIT);
}

function trim(value: number): string {
	return String(Math.round(value * 100) / 100);
}

function writeNumber(value: number): string {
	return value >= 1000 ? formatCount(value) : trim(value);
}

/** `323k`, like autocannon. */
function writeThousands(count: number): string {
	return count >= 1000 ? `${formatCount(Math.round(count / 1000))}k` : String(count);
}

function writeBytes(bytes: number): string {
	const step = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
	return `${Number((bytes / 1000 ** step).toPrecision(3))} ${BYTE_UNITS[step]}`;
}

export function boxTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
	const widths = titles.map((title, at) => Math.max(...[title, ...rows.map((row) => row[at] ?? '')].map(widthOf)));
	const rule = (left: string, middle: string, right: string) =>
		`${left}${widths.map((width) => '─'.repeat(width + 2)).join(middle)}${right}`;
	const line = (cells: readonly string[]) =>
		`│${widths.map((width, at) => ` ${pad(cells[at] ?? '', width)} `).join('│')}│`;
	const lines = rows.flatMap((row) => [rule('├', '┼', '┤'), line(row)]);
	return [rule('┌', '┬', '┐'), line(titles), ...lines, rule('└', '┴', '┘')].join('\n');
}

function widthOf(text: string): number {
	return stringWidth(text);
}

function pad(text: string, width: number): string {
	return `${text}${' '.repeat(width - widthOf(text))}`;
}
