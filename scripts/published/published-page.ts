/** Writes docs/published-ratios.md: ratios of published pages beside those of one ranking of ours. */
import { ratioOf } from '../../src/rank/log-share.ts';
import { fold, writeMarkdown } from '../../src/report/compare/markdown.ts';
import { describeLoad, describeVariation, STATE_WORDS } from '../../src/report/measure/measure-words.ts';
import { tableMarkdown } from '../../src/report/worded-table.ts';
import { MESSAGE_LIMIT, plainText } from '../../src/text/escape.ts';
import { countOf, formatMoment, NONE } from '../../src/text/numbers.ts';
import { joinPhrases, type Phrase } from '../../src/text/phrase.ts';
import type { MeasureResult, MeasureRow, Ranged } from '../../src/types/ranking/measure.ts';
import {
	type Artefact,
	type Effect,
	explains,
	type PublishedPage,
	type PublishedRatio,
	publishedRatios,
} from './published-pages.ts';

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
	/** Whether ours is that of CPU time per request, because the generator was at its limit in one of the two rows. */
	readonly byCpu: boolean;
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
		const both = [find(scenario, server), find(scenario, of)] as const;
		const ours = divide(...both);
		const byCpu = ours !== null && both.some((row) => row?.judgedBy === 'cpu-per-request');
		const reason = ours === null ? (reasonOf(scenario, server) ?? reasonOf(scenario, of) ?? 'no interval yet') : null;
		return { ...published, ours, reason, close: ours === null ? null : closeness(ratio, ours), byCpu };
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

/** Returns the numbers of the artefacts that make a ratio differ as it does, and of those that may make it differ in any way. */
export function reasonsOf({ ratio, ours, close, artefacts }: SetBeside): {
	readonly surely: readonly number[];
	readonly perhaps: readonly number[];
} {
	if (ours === null || close !== 'no') return { surely: [], perhaps: [] };
	const numbers = (those: (effect: Effect | null) => boolean) =>
		artefacts.filter(({ effect }) => those(effect)).map(({ number }) => number);
	return {
		surely: numbers((effect) => explains(effect, ratio, ours.value)),
		perhaps: numbers((effect) => effect === null),
	};
}

type Beside = readonly [page: PublishedPage, ratios: readonly SetBeside[]];

/** Returns the page, ending in a line feed. */
export function renderPublished(pages: readonly PublishedPage[], result: MeasureResult): string {
	const all = pages.map((page): Beside => [page, setBeside(page, result)]);
	const { environment, createdAt, setup, tool } = result;
	const machine = `${environment.cpuModel}, ${environment.cpus} CPUs, Node ${environment.node}, benchgate ${tool.version}, ${formatMoment(createdAt)}`;
	const parts = [
		'# Published ratios beside ours',
		'<!-- Written by `npm run docs:measure` from docs/published/pages.json and docs/examples/measure.json. -->',
		'Five pages publish how fast HTTP frameworks are. Requests per second depend on the machine; ratios carry over better. So this page sets their ratios beside ours, and says how each page was made.',
		summaryTable(all),
		describeDifferences(all.flatMap(([, ratios]) => ratios)),
		`Ours are from one ranking ([the report](examples/measure.md)): ${plainText(machine, MESSAGE_LIMIT)}; ${describeLoad(setup)}. Each server was loaded ${setup.design ? 'in turn with' : 'beside'} \`${plainText(setup.reference, MESSAGE_LIMIT)}\` on one CPU, not with the load of the page: that is what the presets are for ([measure.md](measure.md#presets-the-load-of-published-pages)). How steady that run was: ${describeVariation(result)}`,
		...result.warnings.map(
			({ message }) => `**Of that run:** ${writeMarkdown([{ text: plainText(message, MESSAGE_LIMIT) }])}`,
		),
		...all.map(renderPage),
	];
	return `${parts.join('\n\n')}\n`;
}

/** What differences there are, and how many of them have a reason. */
function describeDifferences(ratios: readonly SetBeside[]): string {
	const apart = ratios.filter(({ close }) => close === 'no');
	const explained = apart.filter((one) => reasonsOf(one).surely.length > 0).length;
	const left = apart.length - explained;
	return [
		'A ratio is the same where both are within 10 %, and cannot be told where our interval is too wide to say.',
		apart.length === 0
			? ''
			: `Of the ${countOf(apart.length, 'ratio')} that ${apart.length === 1 ? 'differs' : 'differ'}, ${explained} ${explained === 1 ? 'does' : 'do'} so in the way that something in the making of the page causes; how much of the difference that is, nobody knows.${left === 0 ? '' : ` For ${left} nothing is known that would.`}`,
		'Other versions of Node and of packages, other connections and another machine may have a part in all of them.',
	]
		.filter((sentence) => sentence !== '')
		.join(' ');
}

function summaryTable(all: readonly Beside[]): string {
	const titles = ['page', 'ratios', 'measured here', 'within 10 %', 'differ', 'cannot be told'];
	return tableMarkdown({
		title: '',
		note: '',
		columns: titles.map((label, at) => ({ label, align: at === 0 ? 'left' : 'right' })),
		rows: all.map(([{ name }, ratios]) => {
			const count = (close: SetBeside['close']) => ratios.filter((one) => one.close === close).length;
			const counts = [ratios.length, ratios.length - count(null), count('yes'), count('no'), count('open')];
			return [[name], ...counts.map((one): Phrase => [String(one)])];
		}),
	});
}

function renderPage([page, ratios]: Beside): string {
	const { name, source, machine, preset, artefacts } = page;
	const known = ratios.filter(({ ours }) => ours !== null);
	const code = source === undefined ? '' : ` ([source](${source}))`;
	const missing = ratios.filter(({ ours }) => ours === null);
	return [
		`## ${name}`,
		`Measured on: ${machine}${code}. Its load here: \`benchgate measure --preset ${preset}\`.`,
		known.length === 0 ? 'None of its ratios was measured here.' : ratiosTable(known),
		...(missing.length === 0
			? []
			: [fold(`Not measured here: ${countOf(missing.length, 'ratio')}`, missingTable(missing))]),
		'How the page was made:',
		artefacts.map(writeArtefact).join('\n'),
	].join('\n\n');
}

const EFFECTS: Readonly<Record<Effect, string>> = {
	higher: 'That makes the ratio higher.',
	lower: 'That makes the ratio lower.',
	'nearer-1': 'That moves ratios towards 1.',
};

function writeArtefact({ text, scenarios = [], servers = [], effect }: Artefact, at: number): string {
	const about = [...servers, ...scenarios].map((one) => `\`${one}\``).join(', ');
	const words = effect === undefined ? text : `${text} ${EFFECTS[effect]}`;
	return `${at + 1}. ${words}${about === '' ? '' : ` (${about})`}`;
}

function ratiosTable(ratios: readonly SetBeside[]): string {
	const titles = ['scenario', 'servers', 'published', 'ours', '95 % interval', 'within 10 %', 'why'];
	return tableMarkdown({
		title: '',
		note: '',
		columns: titles.map((label, at) => ({ label, align: at >= 2 && at <= 4 ? 'right' : 'left' })),
		rows: ratios.map((one): Phrase[] => {
			const { scenario, server, of, ratio, ours, byCpu, close } = one;
			return [
				[{ code: scenario }],
				[{ code: server }, ' / ', { code: of }],
				[ratio.toFixed(2)],
				[ours === null ? NONE : `${ours.value.toFixed(2)}${byCpu ? ', by CPU time' : ''}`],
				[ours === null ? NONE : `[${ours.low.toFixed(2)} … ${ours.high.toFixed(2)}]`],
				[close === null ? NONE : CLOSENESS[close]],
				[close === 'no' ? writeReasons(one) : NONE],
			];
		}),
	});
}

function writeReasons(one: SetBeside): string {
	const { surely, perhaps } = reasonsOf(one);
	const may = perhaps.length === 0 ? '' : `perhaps ${perhaps.join(', ')}`;
	if (surely.length === 0) return may === '' ? 'not known' : `not known; ${may}`;
	return may === '' ? surely.join(', ') : `${surely.join(', ')}; ${may}`;
}

/** A line for two servers and why they were not measured, with all their scenarios. */
function missingTable(missing: readonly SetBeside[]): string {
	const groups = Map.groupBy(missing, ({ server, of, reason }) => JSON.stringify([server, of, reason]));
	return tableMarkdown({
		title: '',
		note: '',
		columns: ['servers', 'published', 'not measured because'].map((label) => ({ label, align: 'left' })),
		rows: [...groups.values()].flatMap((group): Phrase[][] => {
			const [first] = group;
			if (first === undefined) return [];
			const figures = group.map(({ scenario, ratio }): Phrase => [{ code: scenario }, ` ${ratio.toFixed(2)}`]);
			return [
				[[{ code: first.server }, ' / ', { code: first.of }], joinPhrases(figures, ', '), [first.reason ?? NONE]],
			];
		}),
	});
}
