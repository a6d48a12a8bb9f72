import { escapeHtml, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatPair } from '../../text/numbers.ts';
import type { Comparison, LatencyFigures, MeasureRow } from '../../types/measure.ts';
import { writeRate, writeShare } from './measure-figures.ts';

/** Units of the drawing; the page scales it to its own width. */
const WIDTH = 800;
const NAMES = 170;
const VALUES = 190;
const PLOT = WIDTH - NAMES - VALUES;
const LINE = 26;
const BAR = 14;
/** Room for the words of an axis. */
const AXIS = 18;

/** One line of a chart of bars. */
interface Line {
	readonly name: string;
	readonly value: number;
	readonly low?: number;
	readonly high?: number;
	readonly label: string;
	readonly style: 'head' | 'base';
}

/** Returns the shares of one scenario as bars with their 95 % intervals, in the order given; empty without shares. */
export function drawShares(rows: readonly MeasureRow[]): string {
	return drawBars(
		rows.flatMap((row): Line[] =>
			row.share === null
				? []
				: [
						{
							name: row.server,
							...row.share,
							label: `${writeShare(row)} (${writeRate(row)}/s)`,
							style: row.share.low === row.share.high ? 'base' : 'head',
						},
					],
		),
		'Share of the reference, with its 95 % interval',
	);
}

/** Returns the peak memory of one scenario's servers as bars; empty where nobody can tell. */
export function drawMemory(rows: readonly MeasureRow[]): string {
	return drawBars(
		rows.flatMap((row): Line[] => {
			const value = row.alone?.metrics['memory-peak'] ?? null;
			if (value === null) return [];
			const { base, unit } = formatPair(value, null, 'MB');
			return [{ name: row.server, value, label: `${base} ${unit}`, style: 'head' }];
		}),
		'Peak memory',
	);
}

/** Returns wrappers and their hosts as pairs of bars, a host at 100 %; empty without any. */
export function drawWrappers(comparisons: readonly Comparison[]): string {
	return drawBars(
		comparisons
			.filter(({ kind }) => kind === 'wrapper')
			.flatMap(({ row, against, loss }): Line[] => [
				{ name: `${against.server}/${against.scenario}`, value: 1, label: '100 %', style: 'base' },
				{
					name: `${row.server}/${row.scenario}`,
					value: 1 - loss.value,
					...(loss.low !== null && loss.high !== null && { low: 1 - loss.high, high: 1 - loss.low }),
					label: `${(100 * (1 - loss.value)).toFixed(1)} %`,
					style: 'head',
				},
			]),
		'Wrapper against host',
	);
}

/** Quantiles that are marked on a line of latencies. */
const MARKS = [
	['p50', 4.5],
	['p95', 3.5],
	['p99', 3.5],
] as const satisfies readonly (readonly [keyof LatencyFigures, number])[];

/** Returns the latencies of one scenario's servers from p2.5 to p99.9 on a logarithmic scale; empty where there are none. */
export function drawLatencies(rows: readonly MeasureRow[]): string {
	const lines = rows.flatMap(({ server, alone }) => (alone?.latency ? [{ server, latency: alone.latency }] : []));
	const least = Math.min(...lines.map(({ latency }) => latency.p2_5));
	const most = Math.max(...lines.map(({ latency }) => latency.p99_9));
	if (lines.length === 0 || !(least > 0) || !(most > least)) return '';
	const at = (value: number) => NAMES + (PLOT * Math.log(value / least)) / Math.log(most / least);
	const drawn = lines.map(({ server, latency }, index) => {
		const y = LINE * (index + 0.5);
		const dots = MARKS.map(
			([key, radius]) =>
				`<circle class="dot" cx="${at(latency[key]).toFixed(1)}" cy="${y}" r="${radius}"><title>${key} ${writeMs(latency[key])}</title></circle>`,
		);
		return [
			writeName(server, y),
			`<line class="whisker" x1="${at(latency.p2_5).toFixed(1)}" x2="${at(latency.p99_9).toFixed(1)}" y1="${y}" y2="${y}"/>`,
			...dots,
			writeValue(`${writeMs(latency.p50)} / ${writeMs(latency.p95)} / ${writeMs(latency.p99)}`, y),
		].join('');
	});
	return frame(drawn, 'Latency: the line goes from p2.5 to p99.9, dots are p50, p95 and p99');
}

function drawBars(lines: readonly Line[], title: string): string {
	if (lines.length === 0) return '';
	const largest = Math.max(...lines.map(({ value, high = value }) => Math.max(value, high)));
	const at = (value: number) => NAMES + (PLOT * Math.max(value, 0)) / largest;
	const drawn = lines.map(({ name, value, low = value, high = value, label, style }, index) => {
		const y = LINE * (index + 0.5);
		const whisker =
			low === high
				? ''
				: `<line class="whisker" x1="${at(low).toFixed(1)}" x2="${at(high).toFixed(1)}" y1="${y}" y2="${y}"/>`;
		const width = (at(value) - NAMES).toFixed(1);
		return [
			writeName(name, y),
			`<rect class="${style}" x="${NAMES}" y="${y - BAR / 2}" width="${width}" height="${BAR}" rx="3"/>`,
			whisker,
			writeValue(label, y),
		].join('');
	});
	return frame(drawn, title);
}

function frame(lines: readonly string[], title: string): string {
	const height = LINE * lines.length + AXIS;
	const words = `<text class="axis" x="${NAMES}" y="${height - 4}">${escapeHtml(title)}</text>`;
	return `<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">${lines.join('\n')}${words}</svg>`;
}

function writeName(name: string, y: number): string {
	return `<text class="name" x="${NAMES - 8}" y="${y + 4}">${escapeHtml(plainText(name, NAME_LIMIT / 2))}</text>`;
}

function writeValue(label: string, y: number): string {
	return `<text x="${WIDTH - VALUES + 8}" y="${y + 4}">${escapeHtml(label)}</text>`;
}

function writeMs(value: number): string {
	const { base, unit } = formatPair(value, null, 'ms');
	return `${base} ${unit}`;
}
