/** Writes docs/published-ratios.md: ratios of published pages beside those of one ranking of ours. */
import { ratioOf } from '../../src/rank/log-share.ts';
import { writeMarkdown } from '../../src/report/compare/markdown.ts';
import { describeLoad, STATE_WORDS } from '../../src/report/measure/measure-words.ts';
import { tableMarkdown } from '../../src/report/worded-table.ts';
import { MESSAGE_LIMIT, plainText } from '../../src/text/escape.ts';
import { formatMoment, NONE } from '../../src/text/numbers.ts';
import type { Phrase } from '../../src/text/phrase.ts';
import type { MeasureResult, MeasureRow, Ranged } from '../../src/types/ranking/measure.ts';
import { type PublishedPage, type PublishedRatio, publishedRatios } from './published-pages.ts';

/** Ratios that differ by no more than this are called the same: other versions of Node and of a framework make as much. */
const CLOSE = 1.1;

const CLOSENESS = { yes: 'yes', no: 'no', open: 'cannot be told' } as const;

/** A ratio of a page beside ours. */
export interface SetBeside extends PublishedRatio {
	/** Null where it was not measured. */
	readonly ours: Ranged | null;
	/** Why not; null where it was. */
	readonly reason: string | null;
	/** Whether both are within 10 %; `open` where our interval is too wide to say, null where ours is not known. */
	readonly close: 'yes' | 'no' | 'open' | null;
}

/** Returns the ratios of a page with those of a ranking. */
export function setBeside(page: PublishedPage, { rows, servers, setup }: MeasureResult): readonly SetBeside[] {
	const find = (scenario: string, server: string) =>
		rows.find((row) => row.scenario === scenario && row.server === server);
	const reasonOf = (scenario: string, server: string): string | null => {
		if (!servers.some(({ name }) => name === server)) return `${server} not asked for`;
		if (!setup.scenarios.some(({ name }) => name === scenario)) return 'scenario not asked for';
		const state = find(scenario, server)?.state ?? 'not-reached';
		return state === 'measured' ? null : `${server} ${STATE_WORDS[state]}`;
	};
	return publishedRatios(page).map((published) => {
		const { scenario, server, of, ratio } = published;
		const ours = divide(find(scenario, server), find(scenario, of));
		const reason = ours === null ? (reasonOf(scenario, server) ?? reasonOf(scenario, of) ?? 'no interval yet') : null;
		return { ...published, ours, reason, close: ours === null ? null : closeness(ratio, ours) };
	});
}

function closeness(ratio: number, { value, low, high }: Ranged): 'yes' | 'no' | 'open' {
	const [least, most] = [ratio / CLOSE, ratio * CLOSE];
	if (high < least || low > most) return 'no';
	return value >= least && value <= most ? 'yes' : 'open';
}

function divide(row: MeasureRow | undefined, of: MeasureRow | undefined): Ranged | null {
	return row?.logShare && of?.logShare ? ratioOf(row.logShare, of.logShare) : null;
}

/** Returns the page, ending in a line feed. */
export function renderPublished(pages: readonly PublishedPage[], result: MeasureResult): string {
	const all = pages.map((page) => [page, setBeside(page, result)] as const);
	const known = all.flatMap(([, ratios]) => ratios.filter(({ ours }) => ours !== null));
	const count = (one: SetBeside['close']) => known.filter(({ close }) => close === one).length;
	const { environment, createdAt, setup, tool } = result;
	const machine = `${environment.cpuModel}, ${environment.cpus} CPUs, Node ${environment.node}, benchgate ${tool.version}, ${formatMoment(createdAt)}`;
	const parts = [
		'# Published ratios beside ours',
		'<!-- Written by `npm run docs:measure` from docs/published/pages.json and docs/examples/measure.json. -->',
		'Five pages publish how fast HTTP frameworks are. Requests per second depend on the machine; ratios carry over better. So this page sets their ratios beside ours, and says how each page was made.',
		`Of ${known.length} ratios that were measured here, ${count('yes')} are within 10 % of what was published, ${count('no')} are not, and for ${count('open')} our interval is too wide to say.`,
		`Ours are from one ranking ([the report](examples/measure.md)): ${plainText(machine, MESSAGE_LIMIT)}; ${describeLoad(setup)}. Each server was loaded ${setup.design ? 'in turn with' : 'beside'} \`${plainText(setup.reference, MESSAGE_LIMIT)}\` on one CPU, not with the load of the page: that is what the presets are for ([measure.md](measure.md#presets-the-load-of-published-pages)).`,
		...result.warnings.map(
			({ message }) => `**Of that run:** ${writeMarkdown([{ text: plainText(message, MESSAGE_LIMIT) }])}`,
		),
		...all.map(([page, ratios]) => renderPage(page, ratios)),
	];
	return `${parts.join('\n\n')}\n`;
}

function renderPage(page: PublishedPage, ratios: readonly SetBeside[]): string {
	const { name, source, machine, preset, artefacts } = page;
	const known = ratios.filter(({ ours }) => ours !== null);
	const close = known.filter((ratio) => ratio.close === 'yes').length;
	const code = source === undefined ? '' : ` ([source](${source}))`;
	const missing = ratios.length - known.length;
	const left = missing === 0 ? '' : ` Not measured: ${missing}.`;
	return [
		`## ${name}`,
		`Measured on: ${machine}${code}. Its load here: \`benchgate measure --preset ${preset}\`. Within 10 %: ${close} of ${known.length}.${left}`,
		table(ratios),
		'How the page was made:',
		artefacts
			.map(({ text, scenarios = [], servers = [] }, at) => {
				const about = [...servers, ...scenarios].map((one) => `\`${one}\``).join(', ');
				return `${at + 1}. ${text}${about === '' ? '' : ` (${about})`}`;
			})
			.join('\n'),
	].join('\n\n');
}

function table(ratios: readonly SetBeside[]): string {
	const titles = ['scenario', 'servers', 'published', 'ours', '95 % interval', 'within 10 %', 'see'];
	return tableMarkdown({
		title: '',
		note: '',
		columns: titles.map((label, at) => ({ label, align: at >= 2 && at <= 4 ? ('right' as const) : ('left' as const) })),
		rows: ratios.map(({ scenario, server, of, ratio, ours, reason, close, artefacts }): Phrase[] => [
			[{ code: scenario }],
			[{ code: server }, ' / ', { code: of }],
			[ratio.toFixed(2)],
			[ours === null ? (reason ?? NONE) : ours.value.toFixed(2)],
			[ours === null ? NONE : `[${ours.low.toFixed(2)} … ${ours.high.toFixed(2)}]`],
			[close === null ? NONE : CLOSENESS[close]],
			[artefacts.length === 0 ? NONE : artefacts.join(', ')],
		]),
	});
}
