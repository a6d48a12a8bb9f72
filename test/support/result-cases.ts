import type { Result } from '../../src/types/result.ts';
import { cellOf, resultOf } from './results.ts';

const SCENARIOS = ['ping', 'json-get', 'json-post', 'route-params', 'list-users', 'static-file'] as const;
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
} as const;

/** Texts that attack whatever shows them. */
export const HOSTILE = {
	markdown: '**bold** `code` [x](javascript:alert(1)) ![i](//e.example/a.png) | pipe \\| ~~no~~ $a$ _u_ # h',
	html: '<script>alert(1)</script><img src=x onerror=alert(2)><!-- x --></details></table>&amp;',
	mention:
		'@maintainers #123 GH-7 https://e.example/ www.e.example a@e.example 1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
	bidi: 'ab\u202Egnp.exe\u2066\u200B\u0000\u001B[31mred\u001B[0m\r\n\n### head\n- item',
	long: `${'x'.repeat(5000)}\`|<b>${'y'.repeat(5000)}`,
	marks: `Z${'\u0335\u0301'.repeat(500)}algo \uD800 \u{1F469}\u200D\u{1F4BB} 測試`,
} as const;

/** Returns the result whose every foreign text is an attack. */
function hostile(): Result {
	const attacks = Object.values(HOSTILE);
	const cells = attacks.map((text, index) =>
		cellOf({
			server: text,
			scenario: attacks[(index + 1) % attacks.length] as string,
			...(index % 2 === 0
				? { verdict: 'regressed', change: -0.09 - index / 100 }
				: { verdict: 'invalid', warnings: [{ code: 'wrong-body', message: `head answered ${text}` }] }),
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
		gate: { outcome: 'fail', reasons: attacks.map((text) => `${text} regressed.`) },
		warnings: attacks.map((message) => ({ code: message, message })),
		reproduce: `npx benchgate compare --base '${HOSTILE.html}' --head '\`\`\`\n${HOSTILE.bidi}'`,
	};
}

/** Returns 200 cells, all with warnings of their own: more than a comment can hold. */
function twoHundred(): Result {
	const cells = Array.from({ length: 200 }, (_, index) => {
		const server = `server-${String(index % 20).padStart(2, '0')}`;
		const scenario = `scenario-with-a-long-name-${String(Math.floor(index / 20)).padStart(2, '0')}`;
		const drop = -0.06 - (index % 7) / 100;
		const message = `A side answered only ${index} requests in a round (1000 are wanted).`;
		const warnings = index % 3 === 0 ? [{ code: 'few-responses', message }] : [];
		if (index % 8 === 0) return { server, scenario, verdict: 'regressed', change: drop, warnings } as const;
		if (index % 8 === 1)
			return { server, scenario, verdict: 'inconclusive', change: -0.03, margin: 0.04, warnings } as const;
		return { server, scenario, change: ((index % 5) - 2) / 400, warnings };
	});
	return resultOf(cells, 'fail', { gate: { outcome: 'fail', reasons: ['25 rows regressed.'] } });
}

/** One realistic result per situation a report must make clear; the names are those of the golden files. */
export const RESULT_CASES: Readonly<Record<string, () => Result>> = {
	unchanged: () => resultOf(unchanged),
	'one-cell': () => resultOf(unchanged.slice(0, 1)),
	'one-regressed': () =>
		resultOf([...without('json-post'), regressed], 'fail', {
			gate: { outcome: 'fail', reasons: ['express/json-post regressed: −8.7 % (−10.6 % to −6.8 %).'] },
		}),
	several: () =>
		resultOf(
			[
				...without('json-post', 'list-users', 'ping', 'static-file'),
				regressed,
				inconclusive,
				{ scenario: 'ping', verdict: 'regressed', change: -0.122, margin: 0.024, rate: 21_400 },
				{ scenario: 'static-file', verdict: 'improved', change: 0.094, margin: 0.021, rate: 7_450 },
				{ server: 'koa', scenario: 'ping', change: -0.018, margin: 0.012, rate: 24_800, warnings: [smallDrop] },
			],
			'fail',
			{
				gate: {
					outcome: 'fail',
					reasons: ['express/ping regressed: −12.2 %.', 'express/json-post regressed: −8.7 %.'],
				},
				ended: 'budget',
				warnings: [
					{
						code: 'machine-event',
						message:
							'Round 6 was not counted: both sides of most cells ran at less than 70 % of their usual rate, so the machine was slow, not a side.',
					},
				],
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
				...without('list-users', 'static-file'),
				inconclusive,
				{ scenario: 'static-file', verdict: 'inconclusive', change: 0.011, margin: 0.064, rate: 7_450 },
			],
			'inconclusive',
			{
				ended: 'budget',
				gate: {
					outcome: 'inconclusive',
					reasons: ['Not decided in the time there was: express/list-users, express/static-file.'],
				},
				warnings: [
					{
						code: 'busy-machine',
						message:
							'Other processes used more than 5 % of a CPU in 38 % of the windows, so the spread is larger than it need be.',
					},
				],
			},
		),
	invalid: () =>
		resultOf(
			[
				...without('json-post', 'static-file'),
				{
					scenario: 'json-post',
					verdict: 'invalid',
					warnings: [
						{
							code: 'wrong-body',
							message: 'head gave a wrong answer to POST /json: body at $.id is null instead of <uuid>',
						},
					],
				},
				{
					scenario: 'static-file',
					verdict: 'invalid',
					warnings: [{ code: 'crashed', message: 'the head server crashed under load: exit code 134 (SIGABRT)' }],
				},
			],
			'inconclusive',
			{
				gate: {
					outcome: 'inconclusive',
					reasons: ['Not measured, because invalid: express/json-post, express/static-file.'],
				},
			},
		),
	'nothing-measured': () =>
		resultOf(
			[
				{
					scenario: 'ping',
					verdict: 'invalid',
					warnings: [
						{
							code: 'never-listened',
							message:
								'the head server express did not listen on HOST:PORT (http://127.0.0.1:41013) within 30 s; it printed: Error: Cannot find module ./dist/index.js',
						},
					],
				},
			],
			'error',
			{
				gate: {
					outcome: 'error',
					reasons: ['Nothing could be measured.', 'Not measured, because invalid: express/ping.'],
				},
				timing: { totalSeconds: 61, measuringSeconds: 0, loadSeconds: 0, roundsRun: 0, orchestratorPeakBytes: 7e7 },
			},
		),
	'new-and-removed': () =>
		resultOf([
			...unchanged.slice(0, 3),
			{
				scenario: 'stream',
				verdict: 'new',
				warnings: [{ code: 'new', message: 'Only head has the scenario stream.' }],
			},
			{
				server: 'hapi',
				scenario: 'ping',
				verdict: 'removed',
				warnings: [{ code: 'removed', message: 'Only base has the server hapi.' }],
			},
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
					warnings: [
						{
							code: 'generator-bound',
							message:
								'The load generator was at its limit (99 % busy), which hides throughput differences, so CPU per request decided.',
						},
					],
				},
			],
			'fail',
			{ gate: { outcome: 'fail', reasons: ['node/ping regressed by CPU per request: +8 %.'] } },
		),
	'few-rounds': () =>
		resultOf(
			[
				cellWithoutInterval(),
				{ scenario: 'json-get', verdict: 'inconclusive', change: -0.02, margin: 0.3, rounds: 2, rate: 18_250 },
			],
			'inconclusive',
			{ ended: 'interrupted', onInconclusive: 'fail' },
		),
	'two-hundred': twoHundred,
	hostile,
};

const smallDrop = {
	code: 'small-drop',
	message: 'A drop beyond the tolerance is clear (−1.8 %), but one of the threshold or more is excluded.',
};

function cellWithoutInterval() {
	const warnings = [{ code: 'budget-too-small', message: '1 round is too few to decide (4 are needed).' }];
	const cell = cellOf({ scenario: 'ping', verdict: 'inconclusive', change: -0.034, rounds: 1, warnings });
	const interval = { low: null, high: null, confidence: 0.9 };
	return { ...cell, interval, roundSd: null, smallestDecidableThreshold: null };
}

/** Returns the result of a situation by name. */
export function resultCase(name: string): Result {
	const make = RESULT_CASES[name];
	if (!make) throw new Error(`There is no result case ${name}.`);
	return make();
}
