import { SLOW } from '../../src/judge/looks/run-so-far.ts';
import { warn } from '../../src/judge/warnings.ts';
import { markOneSided, markSameCode } from '../../src/plan/plan-cells.ts';
import { BUSY_CPU } from '../../src/stats/guards.ts';
import { FEWEST_RESPONSES } from '../../src/stats/windows.ts';
import type { Result } from '../../src/types/result.ts';
import type { Side, Warning } from '../../src/types/units.ts';
import { cellOf, type RowSketch, resultOf } from './results.ts';

const SCENARIOS = ['ping', 'json-get', 'json-post', 'route-params', 'list-users', 'json-nested'] as const;
const RATES = [21_400, 18_250, 9_870, 16_900, 2_310, 7_450] as const;

const unchanged = SCENARIOS.map((scenario, index) => ({
	scenario,
	rate: RATES[index] as number,
	change: [-0.004, 0.002, -0.012, 0.006, -0.009, 0.001][index] as number,
}));
const without = (...names: string[]) => unchanged.filter(({ scenario }) => !names.includes(scenario));

const regressed = { scenario: 'json-post', verdict: 'regressed', change: -0.087, margin: 0.019, rate: 9_870 } as const;
const inconclusive = {
	scenario: 'list-users',
	verdict: 'inconclusive',
	change: -0.029,
	margin: 0.041,
	rate: 2_310,
	rounds: 40,
} as const;

/** A run that spent its budget on undecided rows. */
const LONG_RUN = {
	totalSeconds: 651,
	measuringSeconds: 597,
	loadSeconds: 402,
	roundsRun: 40,
	orchestratorPeakBytes: 96 * 2 ** 20,
};
/** A run stopped in its third round. */
const SHORT_RUN = { ...LONG_RUN, totalSeconds: 71, measuringSeconds: 17, loadSeconds: 10, roundsRun: 2 };

const smallDrop = warn('small-drop', { change: -0.034, rounds: 13 });

export const HOSTILE = {
	markdown: '**bold** `code` [x](javascript:alert(1)) ![i](//e.example/a.png) | pipe \\| ~~no~~ $a$ _u_ # h',
	html: '<script>alert(1)</script><img src=x onerror=alert(2)><!-- x --></details></table>&amp;',
	mention:
		'@maintainers #123 GH-7 https://e.example/ www.e.example a@e.example 1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
	bidi: 'ab\u202Egnp.exe\u2066\u200B\u0000\u001B[31mred\u001B[0m\r\n\n### head\n- item',
	long: `${'x'.repeat(5000)}\`|<b>${'y'.repeat(5000)}`,
	marks: `Z${'\u0335\u0301'.repeat(500)}algo \uD800 \u{1F469}\u200D\u{1F4BB} 測試`,
} as const;

/** Every untrusted text is an attack. */
function hostile(): Result {
	const attacks = Object.values(HOSTILE);
	const cells = attacks.map((text, index) =>
		cellOf({
			server: text,
			scenario: attacks[(index + 1) % attacks.length] as string,
			...(index % 2 === 0
				? {
						verdict: 'regressed',
						change: -0.09 - index / 100,
						drift: { verdict: 'below', history: [0, -0.03], anchor: text, measured: `${text}@1a2b3c4` },
					}
				: { verdict: 'invalid', warnings: [{ code: 'wrong-body', message: `head answered ${text}`, side: 'head' }] }),
		}),
	);
	const sane = resultOf(cells, 'fail');
	const side = (label: string) => ({
		...sane.head,
		revision: label,
		label,
		sha: HOSTILE.html,
		subject: { name: HOSTILE.markdown, version: HOSTILE.html },
		versions: { [HOSTILE.html]: { [HOSTILE.markdown]: label }, constructor: { toString: label } },
	});
	return {
		...sane,
		tool: { name: 'benchgate', version: HOSTILE.html },
		createdAt: HOSTILE.html,
		base: side(HOSTILE.mention),
		head: side(HOSTILE.bidi),
		environment: { ...sane.environment, cpuModel: HOSTILE.html, os: HOSTILE.mention, pinning: HOSTILE.markdown },
		gate: {
			outcome: 'fail',
			reasons: attacks,
			causes: attacks.map((text) => ({
				kind: 'regressed',
				rows: [{ cell: text, metric: 'throughput' }],
				sentence: text,
			})),
		},
		warnings: attacks.map((message) => ({ code: message, message })),
		reproduce: `npx benchgate compare --base '${HOSTILE.html}' --head '\`\`\`\n${HOSTILE.bidi}'`,
	};
}

/** More than fits a comment. */
function twoHundred(): Result {
	const cells = Array.from({ length: 200 }, (_, index) => {
		const server = `server-${String(index % 20).padStart(2, '0')}`;
		const scenario = `scenario-with-a-long-name-${String(Math.floor(index / 20)).padStart(2, '0')}`;
		const drop = -0.06 - (index % 7) / 100;
		const warnings = index % 3 === 0 ? [warn('few-responses', { fewest: index, wanted: FEWEST_RESPONSES })] : [];
		if (index % 8 === 0) return { server, scenario, verdict: 'regressed', change: drop, warnings } as const;
		if (index % 8 === 1)
			return { server, scenario, verdict: 'inconclusive', change: -0.03, margin: 0.04, warnings } as const;
		return { server, scenario, change: ((index % 5) - 2) / 400, warnings };
	});
	return resultOf(cells, 'fail');
}

/** `count` baselines around the anchor, the last at `end`. */
function wave(count: number, end: number): readonly number[] {
	return Array.from({ length: count }, (_, index) => (index === count - 1 ? end : ((index * 7) % 5) / 500 - 0.004));
}

const BELOW = { history: [...wave(17, 0), ...wave(12, 0).map((level) => level - 0.03), -0.031] };
const DRIFTED = { history: [...wave(9, 0), -0.031, -0.036, -0.064, -0.061, -0.102, -0.098, -0.107] };

/** One realistic result per situation of a report, named after its golden file. */
export const RESULT_CASES: Readonly<Record<string, () => Result>> = {
	unchanged: () => resultOf(unchanged),
	'one-cell': () => resultOf(unchanged.slice(0, 1)),
	'one-regressed': () => resultOf([...without('json-post'), regressed], 'fail'),
	several: () =>
		resultOf(
			withoutOneRound([
				...without('json-post', 'list-users', 'ping', 'json-nested'),
				regressed,
				{ ...inconclusive, rounds: 40 },
				{ scenario: 'ping', verdict: 'regressed', change: -0.122, margin: 0.024, rate: 21_400 },
				{ scenario: 'json-nested', verdict: 'improved', change: 0.094, margin: 0.021, rate: 7_450 },
				{ server: 'koa', scenario: 'ping', change: -0.034, margin: 0.008, rate: 24_800, warnings: [smallDrop] },
			]),
			'fail',
			{
				ended: 'budget',
				timing: LONG_RUN,
				warnings: [warn('machine-event', { rounds: [6], slow: SLOW })],
			},
		),
	improved: () =>
		resultOf([
			...without('route-params', 'json-get'),
			{ scenario: 'route-params', verdict: 'improved', change: 0.142, margin: 0.025, rate: 16_900 },
			{ scenario: 'json-get', verdict: 'improved', change: 0.067, margin: 0.02, rate: 18_250 },
		]),
	inconclusive: () =>
		resultOf(
			[
				...without('list-users', 'json-nested'),
				inconclusive,
				{ scenario: 'json-nested', verdict: 'inconclusive', change: 0.011, margin: 0.064, rate: 7_450, rounds: 40 },
			],
			'inconclusive',
			{
				ended: 'budget',
				timing: LONG_RUN,
				warnings: [warn('busy-machine', { limit: BUSY_CPU, windows: 0.38 })],
			},
		),
	invalid: () =>
		resultOf(
			[
				...without('json-post', 'json-nested'),
				{
					scenario: 'json-post',
					verdict: 'invalid',
					warnings: [
						{
							code: 'wrong-body',
							message: 'head gave a wrong answer to POST /json: body at $.id is null instead of <uuid>',
							side: 'head',
						},
					],
				},
				{
					scenario: 'json-nested',
					verdict: 'invalid',
					warnings: [crash('head')],
				},
			],
			'fail',
		),
	'base-broken': () =>
		resultOf(
			[
				...without('json-post', 'json-nested'),
				{ scenario: 'json-post', verdict: 'invalid', warnings: [wrongBody('base')] },
				{ scenario: 'json-nested', verdict: 'invalid', warnings: [crash('base')] },
			],
			'inconclusive',
		),
	'base-broken-once': () =>
		resultOf(
			[...without('json-nested'), { scenario: 'json-nested', verdict: 'invalid', warnings: [crash('base')] }],
			'inconclusive',
			{ onInconclusive: 'fail' },
		),
	'both-broken': () =>
		resultOf(
			[
				...without('json-post'),
				{ scenario: 'json-post', verdict: 'invalid', warnings: [wrongBody('base'), wrongBody('head')] },
			],
			'inconclusive',
		),
	'needs-rebase': () =>
		resultOf([
			...without('json-post'),
			{
				scenario: 'json-post',
				verdict: 'invalid',
				warnings: [wrongBody('base'), wrongBody('head')],
				newerThanBase: true,
			},
		]),
	'answers-differ': () =>
		resultOf(
			[
				...without('list-users'),
				{
					scenario: 'list-users',
					verdict: 'invalid',
					warnings: [
						{
							code: 'bodies-differ',
							message: 'base and head disagree on GET /users?page=2: body at $.total is 120 on base but "120" on head',
						},
					],
				},
			],
			'fail',
		),
	'gone-in-head': () =>
		resultOf(
			['list-users', 'json-post', 'json-nested'].map((scenario) => ({
				scenario,
				verdict: 'removed',
				warnings: [oneSided('base', 'scenario', scenario)],
			})),
			'error',
			{ timing: { ...SHORT_RUN, totalSeconds: 31, measuringSeconds: 0, loadSeconds: 0, roundsRun: 0 } },
		),
	'everything-wrong': () =>
		resultOf(
			[
				...unchanged.slice(0, 1),
				regressed,
				inconclusive,
				{ scenario: 'json-nested', verdict: 'invalid', warnings: [crash('head')] },
				{ scenario: 'route-params', verdict: 'invalid', warnings: [crash('base')] },
				{ scenario: 'json-get', verdict: 'invalid', warnings: [wrongBody('base'), wrongBody('head')] },
				{ scenario: 'stream', verdict: 'removed', warnings: [oneSided('base', 'scenario', 'stream')] },
			],
			'fail',
		),
	'base-never-starts': () =>
		resultOf(
			unchanged.slice(0, 2).map(({ scenario }) => ({
				scenario,
				verdict: 'invalid',
				warnings: [
					{
						code: 'exited-at-start',
						message: 'the base server express exited at start: exit code 1; it printed: Error: listen EACCES',
						side: 'base',
					},
				],
			})),
			'error',
			{ timing: { ...SHORT_RUN, totalSeconds: 31, measuringSeconds: 0, loadSeconds: 0, roundsRun: 0 } },
		),
	'nothing-measured': () =>
		resultOf(
			[
				{
					scenario: 'ping',
					verdict: 'invalid',
					warnings: [
						{
							code: 'exited-at-start',
							message:
								'the head server express exited at start: exit code 1; it printed: Error: Cannot find module ./dist/index.js',
							side: 'head',
						},
					],
				},
			],
			'error',
			{
				timing: { ...SHORT_RUN, totalSeconds: 31, measuringSeconds: 0, loadSeconds: 0, roundsRun: 0 },
			},
		),
	'new-and-removed': () =>
		resultOf(
			[
				...unchanged.slice(0, 3),
				{
					scenario: 'stream',
					verdict: 'new',
					warnings: [oneSided('head', 'scenario', 'stream')],
				},
				{
					server: 'hapi',
					scenario: 'ping',
					verdict: 'removed',
					warnings: [oneSided('base', 'server', 'hapi')],
				},
			],
			'fail',
		),
	'same-code': () =>
		resultOf([
			...unchanged.slice(0, 3),
			...['list-users', 'stream'].map((scenario) => ({
				server: 'hapi',
				scenario,
				verdict: 'same-code' as const,
				warnings: [sameCode('hapi', scenario)],
			})),
		]),
	unaffected: () =>
		resultOf([
			...unchanged.slice(0, 1),
			...Array.from({ length: 39 }, (_, index) => ({
				scenario: `other-${index + 1}`,
				verdict: 'unaffected' as const,
				warnings: [{ code: 'unaffected', message: 'None of the code that this row runs has changed.' }],
			})),
		]),
	'generator-bound': () =>
		resultOf(
			[
				...unchanged.slice(1, 4),
				{
					server: 'node',
					scenario: 'ping',
					verdict: 'regressed',
					change: -0.074,
					margin: 0.015,
					rate: 61_300,
					judgedBy: 'cpu-per-request',
					warnings: [warn('generator-bound', { utilisation: 0.99 })],
				},
			],
			'fail',
		),
	'few-rounds': () =>
		resultOf(
			[
				cellWithoutInterval(),
				{
					...{ scenario: 'json-get', verdict: 'inconclusive', change: -0.02, margin: 0.3, rounds: 2, rate: 18_250 },
					warnings: [warn('too-few-rounds', { rounds: 2, needed: 4 })],
				},
			],
			'inconclusive',
			{ ended: 'interrupted', onInconclusive: 'fail', timing: SHORT_RUN },
		),
	'rough-figures': () =>
		resultOf(
			[
				...unchanged.slice(2, 4),
				{ server: 'hono', scenario: 'param-json', change: 0.004, rate: 68_021 },
				{ server: 'hono', scenario: 'ping', change: -0.112, verdict: 'regressed', rate: 25_741, mostRate: 66_310 },
			],
			'fail',
		),
	'main-below': () =>
		resultOf([
			...without('json-post', 'list-users', 'json-get'),
			{ scenario: 'json-post', change: -0.012, margin: 0.008, rate: 9_870, drift: { ...BELOW, verdict: 'below' } },
			{ scenario: 'json-get', change: 0.004, rate: 18_250, drift: { ...DRIFTED, verdict: 'drifted' } },
			{ scenario: 'list-users', change: -0.009, rate: 2_310, drift: { verdict: 'level', history: wave(30, 0) } },
			{ server: 'koa', scenario: 'ping', verdict: 'new', drift: { verdict: 'below', history: [-0.04] } },
		]),
	'adds-to-drift': () =>
		resultOf(
			[
				...without('json-post', 'json-get'),
				{
					scenario: 'json-post',
					change: -0.021,
					margin: 0.009,
					rate: 9_870,
					drift: { ...DRIFTED, verdict: 'adds', policy: 'enforce' },
				},
				{ scenario: 'json-get', change: 0.002, rate: 18_250, drift: { ...DRIFTED, verdict: 'drifted' } },
			],
			'fail',
		),
	'five-metrics': () =>
		resultOf(
			[
				{ scenario: 'ping', judgedBy: 'cpu-per-request', change: -0.004, rate: 21_400 },
				{ scenario: 'ping', metric: 'latency-p99', change: -0.31, margin: 0.07, threshold: 0.25, verdict: 'regressed' },
				{ scenario: 'ping', metric: 'memory-after-100k', change: -0.012, margin: 0.02, threshold: 0.1 },
				{ scenario: 'ping', metric: 'memory-at-rest', change: 0.002, margin: 0.004 },
				{
					...{ scenario: 'ping', metric: 'cold-start', change: -0.24, margin: 0.05, threshold: 0.15 },
					verdict: 'regressed',
				},
			],
			'fail',
		),
	'two-hundred': twoHundred,
	hostile,
};

function wrongBody(side: Side): Warning {
	const message = `${side} gave a wrong answer to POST /json: body at $.id is null instead of <uuid>`;
	return { code: 'wrong-body', message, side };
}

/** Under load, after correct answers. */
function crash(side: Side): Warning {
	const message = `the ${side} server crashed under load: exit code 134 (SIGABRT)`;
	return { code: 'crashed', message, side, once: true };
}

/** One round was discarded. */
function withoutOneRound(rows: readonly RowSketch[]): readonly RowSketch[] {
	return rows.map((row) => ({ ...row, rounds: (row.rounds ?? 14) - 1 }));
}

/** In the plan's words. */
function oneSided(side: Side, what: 'scenario' | 'server', name: string): Warning {
	const cell = { id: '', server: '', scenario: '', threshold: 0.05, tolerance: 0.025, [what]: name };
	const { verdict, reason } = markOneSided(cell, side, what);
	return { code: verdict, message: reason };
}

/** In the plan's words. */
function sameCode(server: string, scenario: string): Warning {
	const { verdict, reason } = markSameCode({
		id: `${server}/${scenario}`,
		server,
		scenario,
		threshold: 0.05,
		tolerance: 0.025,
	});
	return { code: verdict, message: reason };
}

function cellWithoutInterval() {
	const warnings = [warn('too-few-rounds', { rounds: 1, needed: 4 })];
	const cell = cellOf({ scenario: 'ping', verdict: 'inconclusive', change: -0.034, rounds: 1, warnings });
	const interval = { low: null, high: null, confidence: 0.9 };
	return { ...cell, interval, roundSd: null, smallestDecidableThreshold: null };
}

export function resultCase(name: string): Result {
	const make = RESULT_CASES[name];
	if (!make) throw new Error(`There is no result case ${name}.`);
	return make();
}
