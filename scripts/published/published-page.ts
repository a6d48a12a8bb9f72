/** Writes docs/published-ratios.md: published ratios beside those of our rankings. */
import { fold, tableMarkdown, writeMarkdown } from '../../src/report/document/markdown-writer.ts';
import { MESSAGE_LIMIT, plainText } from '../../src/text/escape.ts';
import { countOf, formatMoment, NONE } from '../../src/text/numbers.ts';
import { joinPhrases, joinWords, type Phrase } from '../../src/text/phrase.ts';
import { METRICS } from '../../src/types/metric.ts';
import { closeness, judgedOf, OUTCOMES, type Outcome, outcomeOf, type SetBeside, wordReason } from './judge-ratio.ts';
import { commandsOf } from './measure-commands.ts';
import { type Measured, type MeasuredRun, nodeOf } from './measured-run.ts';
import { type OurRatio, ourRatio } from './our-ratio.ts';
import { type Artefact, type Effect, type PublishedPage, publishedRatios, type RatioKey } from './published-pages.ts';

const CLOSENESS = { yes: 'yes', no: 'no', open: 'cannot be told' } as const;

/** Our data: for all pages, and by page id on its version of Node. */
export interface OurData {
	readonly common: Measured;
	readonly own: Readonly<Record<string, Measured>>;
}

/** Returns the ratios of a page with ours. */
export function setBeside(page: PublishedPage, { common, own }: OurData): readonly SetBeside[] {
	const onItsNode = own[page.id] ?? { runs: [] };
	return publishedRatios(page).map((published) => ({
		...published,
		...ourRatio(published, common),
		own: ourRatio(published, onItsNode).ours,
	}));
}

type Beside = readonly [page: PublishedPage, ratios: readonly SetBeside[]];

/** Returns the page, ending in a line feed. */
export function renderPublished(pages: readonly PublishedPage[], data: OurData): string {
	const all = pages.map((page): Beside => [page, setBeside(page, data)]);
	const parts = [
		'# Published ratios beside ours',
		'<!-- Written by `npm run docs:ratios` from docs/published. -->',
		'Five pages publish how fast HTTP frameworks are. Requests per second depend on the machine; ratios carry over better. So this page sets their ratios beside ours, and says which hold.',
		summaryTable(all),
		describeOutcomes(all.flatMap(([, ratios]) => ratios)),
		...describeRuns(data.common.runs),
		'Each server was loaded on one CPU, and not with the load of the page: that is what the presets are for ([measure.md](measure.md#presets-the-load-of-published-pages)).',
		...all.map((one) => renderPage(one, data)),
		describeMeasuring(pages),
	];
	return `${parts.join('\n\n')}\n`;
}

/** Our rankings, in order of precedence. */
function describeRuns(runs: readonly MeasuredRun[]): readonly string[] {
	if (runs.length < 2) return runs.map((run) => describeRun(run, 'Ours are from one ranking'));
	const listed = runs.toReversed().map((run, at) => `- ${describeRun(run, `Ranking ${at + 1}`)}`);
	return [
		`Ours are from ${countOf(runs.length, 'ranking')}. Where several have a ratio, the first counts. In the last one [a server was not charged](decisions/0065-a-server-finishes-its-work.md) for all of its garbage collection.\n\n${listed.join('\n')}`,
	];
}

function describeRun(run: MeasuredRun, words: string): string {
	const { cpuModel, cpus, node, version, createdAt, loadAverage, load, reference, steadiness, warnings } = run;
	const machine = `${cpuModel}, ${cpus} CPUs, Node ${node}, benchgate ${version}, ${formatMoment(createdAt)}`;
	return [
		`${words}: ${plainText(machine, MESSAGE_LIMIT)}; load average ${loadAverage} before; reference \`${plainText(reference, MESSAGE_LIMIT)}\`; ${load}. ${steadiness}`,
		...warnings.map((message) => `**Of that run:** ${writeMarkdown([{ text: plainText(message, MESSAGE_LIMIT) }])}`),
	].join('\n\n');
}

const TITLES: Readonly<Record<Outcome, string>> = {
	same: 'hold (within 10 %)',
	node: 'differ: version of Node',
	partly: 'differ: Node in part',
	making: 'differ: how it was made',
	unknown: 'differ: not known why',
	open: 'cannot be told',
	missing: 'not measured',
};

function summaryTable(all: readonly Beside[]): string {
	const countsOf = (ratios: readonly SetBeside[]) => [
		ratios.length,
		...OUTCOMES.map((outcome) => ratios.filter((one) => outcomeOf(one) === outcome).length),
	];
	const lines = [
		...all.map(([{ name }, ratios]) => [name, ...countsOf(ratios)]),
		['all', ...countsOf(all.flatMap(([, ratios]) => ratios))],
	];
	const titles = ['page', 'ratios', ...OUTCOMES.map((outcome) => TITLES[outcome])];
	return table(
		titles,
		lines.map((line) => line.map((cell): Phrase => [String(cell)])),
		(at) => at > 0,
	);
}

/** The outcomes of all ratios, in sentences. */
function describeOutcomes(ratios: readonly SetBeside[]): string {
	const count = (...outcomes: readonly Outcome[]) => ratios.filter((one) => outcomes.includes(outcomeOf(one))).length;
	const measured = ratios.length - count('missing');
	const [node, partly, making, unknown] = [count('node'), count('partly'), count('making'), count('unknown')];
	const apart = node + partly + making + unknown;
	const byNode = ratios.some(({ own }) => own !== null)
		? `${node} ${node === 1 ? 'is' : 'are'} explained by the version of Node and ${partly} in part`
		: "none was measured on the page's own version of Node yet";
	return [
		`**${count('same')} of ${countOf(measured, 'ratio')} measured here hold**, ${apart} ${apart === 1 ? 'differs' : 'differ'}, ${count('open')} cannot be told.`,
		apart === 0
			? ''
			: `Of those that differ, ${byNode}; ${making} ${making === 1 ? 'differs' : 'differ'} in the direction in which the page's own method moves them (nobody knows by how much); for ${unknown} no reason is known.`,
		'A ratio holds if it is within 10 % of ours. It cannot be told where our interval is too wide to say, or where ours has none.',
		"The version of Node explains a ratio that is within 10 % of ours on the page's own version, and a part of it if at least half of the difference (in logarithms) goes away there. It explains nothing where our interval there is wider than ±10 %, or overlaps the other one.",
		'Other versions of packages, other connections and another machine may have a part in all of them.',
	]
		.filter((sentence) => sentence !== '')
		.join(' ');
}

function renderPage([page, ratios]: Beside, { own }: OurData): string {
	const { name, source, machine, preset, also, notOnItsNode, artefacts, notes = [] } = page;
	const measured = ratios.filter((one) => judgedOf(one) !== null);
	const missing = ratios.filter((one) => judgedOf(one) === null);
	const code = source === undefined ? '' : ` ([source](${source}))`;
	const loads = [preset, ...(also === undefined ? [] : [also])].map((one) => `\`benchgate measure --preset ${one}\``);
	return [
		`## ${name}`,
		`Measured on: ${machine}${code}. Its load here: ${joinWords(loads)}.`,
		...(own[page.id]?.runs ?? []).map((run) => describeRun(run, 'On its Node')),
		...(notOnItsNode === undefined ? [] : [notOnItsNode]),
		measured.length === 0 ? 'None of its ratios was measured here.' : ratiosTable(measured, page.id in own),
		...(missing.length === 0
			? []
			: [fold(`Not measured here: ${countOf(missing.length, 'ratio')}`, missingTable(missing))]),
		'How the page was made:',
		artefacts.map(writeArtefact).join('\n'),
		...(notes.length === 0 ? [] : [`Also: ${notes.join(' ')}`]),
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

function ratiosTable(ratios: readonly SetBeside[], hasOwn: boolean): string {
	const owns = hasOwn ? ['on its Node', '95 % interval'] : [];
	const titles = ['scenario', 'servers', 'published', 'ours', '95 % interval', ...owns, 'within 10 %', 'why'];
	const rows = ratios.map((one): Phrase[] => {
		const judged = judgedOf(one);
		return [
			nameScenario(one),
			nameServers(one),
			[one.ratio.toFixed(2)],
			...writeRatio(one.ours),
			...(hasOwn ? writeRatio(one.own) : []),
			[judged === null ? NONE : CLOSENESS[closeness(one.ratio, judged)]],
			[wordReason(one) ?? NONE],
		];
	});
	return table(titles, rows, (at) => at >= 2 && at < titles.length - 2);
}

function writeRatio(ours: OurRatio | null): Phrase[] {
	if (ours === null) return [[NONE], [NONE]];
	const { value, low, high, byCpu } = ours;
	const interval = low === null || high === null ? NONE : `[${low.toFixed(2)} … ${high.toFixed(2)}]`;
	return [[`${value.toFixed(2)}${byCpu ? ', by CPU time' : ''}`], [interval]];
}

function nameScenario({ scenario, ofScenario, metric }: RatioKey): Phrase {
	if (scenario !== ofScenario) return [{ code: scenario }, ' / ', { code: ofScenario }];
	const { label, better } = METRICS[metric];
	if (metric === 'throughput') return [{ code: scenario }];
	return [{ code: scenario }, `: ${label}${better === 'lower' ? ' (less is better)' : ''}`];
}

function nameServers({ server, of }: RatioKey): Phrase {
	return server === of ? [{ code: server }] : [{ code: server }, ' / ', { code: of }];
}

/** A line per pair of servers and reason, with all scenarios. */
function missingTable(missing: readonly SetBeside[]): string {
	const groups = Map.groupBy(missing, ({ server, of, reason }) => JSON.stringify([server, of, reason]));
	const rows = [...groups.values()].flatMap((group): Phrase[][] => {
		const [first] = group;
		if (first === undefined) return [];
		const figures = group.map((one): Phrase => [...nameScenario(one), ` ${one.ratio.toFixed(2)}`]);
		return [[nameServers(first), joinPhrases(figures, ', '), [first.reason ?? NONE]]];
	});
	return table(['servers', 'published', 'not measured because'], rows, () => false);
}

function table(titles: readonly string[], rows: readonly Phrase[][], isNumber: (at: number) => boolean): string {
	const columns = titles.map((label, at) => ({ label, align: isNumber(at) ? 'right' : 'left' }) as const);
	return tableMarkdown({ columns, rows });
}

/** Commands that measure the ratios of each page on its version of Node. */
function describeMeasuring(pages: readonly PublishedPage[]): string {
	const blocks = pages.flatMap((page) => {
		const commands = commandsOf(page);
		return commands.length === 0
			? []
			: [`${page.name}, on Node ${nodeOf(page)}:`, `\`\`\`sh\n${commands.join('\n')}\n\`\`\``];
	});
	return [
		'## Measure it yourself',
		'`npm run docs:ratios -- --commands` prints these lines. `--package` names folders or tarballs of packages that some registries lack; leave out those that npm has. With `--out` an interrupted run goes on. A server that does not run on that Node is named, and the others are measured. `npm run docs:ratios -- FILE --add` keeps what was measured before and takes the rest from another run.',
		...blocks,
	].join('\n\n');
}
