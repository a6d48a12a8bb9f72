/** Sentences of a ranking. */
import { findPreset } from '../../config/ranking/presets.ts';
import { writeRank } from '../../rank/rank.ts';
import { halfWidthOf } from '../../rank/ratios.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatCount, formatDuration, formatPercent, formatWindow } from '../../text/numbers.ts';
import { joinWords, type Phrase, phrase } from '../../text/phrase.ts';
import type { Comparison, RankingResult, RankingRow, RowState } from '../../types/ranking/ranking.ts';
import type { RankingSetup } from '../../types/ranking/ranking-setup.ts';
import { callsOf } from './load-words.ts';

/** "Most rows" are all but this share at either end. */
const FEW = 0.1;

export const STATE_WORDS: Readonly<Record<RowState, string>> = {
	measured: 'measured',
	'left-out': 'not supported',
	'not-installed': 'not installed',
	unsupported: 'unsupported here',
	broken: 'broken',
	'not-reached': 'not reached',
};

/** Used below tables that show starts or memory beside requests per second. */
export const LESS_IS_BETTER = 'Of times and memory less is better: 50 % is twice as much.';

export function nameOf(name: string): Phrase {
	return [{ code: plainText(name, NAME_LIMIT) }];
}

export function titleOf({ servers, setup }: RankingResult): string {
	return `Ranking of ${countOf(servers.length, 'server')} in ${countOf(setup.scenarios.length, 'scenario')}`;
}

export function describeVariation({ variation, setup }: RankingResult): string {
	const { verdict, meanCov, rows, noisy, unreliable } = variation;
	if (verdict === null) return 'No row was measured in two rounds, so how steady the run was is unknown.';
	const average = `requests per second vary by ${formatPercent(meanCov, 1)} from round to round (mean CoV)`;
	const counts = `Noisy rows: ${noisy.length} of ${rows}; unreliable: ${unreliable} of ${rows}.`;
	const isSteady = verdict === 'CLEAN RUN' || verdict === 'ACCEPTABLE';
	const shares = isSteady || setup.preset !== null ? '' : ' Shares vary less: see their intervals.';
	return `${verdict}: ${average}. ${counts}${shares}`;
}

export function describeEnd(result: RankingResult): string {
	const { ended, rows, measuringSeconds, precision, runs } = result;
	const together = runs === undefined ? '' : `; ${countOf(runs, 'run')} put together`;
	const time = `${describeRounds(result)} in ${formatDuration(measuringSeconds)}${together}`;
	const limit = formatPercent(precision, 1);
	switch (ended) {
		case 'decided':
			// A merged run may have ended before that.
			return rows.every(({ share }) => share === null || halfWidthOf(share) <= precision)
				? `${time}. No interval is wider than ±${limit}.`
				: `${time}.`;
		case 'budget':
			return `${time}. The budget ran out before every interval was as narrow as ±${limit}.`;
		case 'rounds':
			return `${time}. All requested rounds were measured.`;
		case 'interrupted':
			return `${time}. The run was interrupted; what follows was measured before that.`;
	}
}

/** Noisy rows and references of several runs have more rounds. */
function describeRounds({ rows, rounds }: RankingResult): string {
	const measured = rows.filter(({ state }) => state === 'measured');
	const counts = measured.map((row) => row.rounds).toSorted((one, other) => one - other);
	const at = (p: number) => counts[Math.round(p * (counts.length - 1))] ?? rounds;
	const [low, high] = [at(FEW), at(1 - FEW)];
	const words = low === high ? countOf(low, 'round') : `${low} to ${high} rounds`;
	if (low === at(0) && high === at(1)) return low === high ? words : `${words} a row`;
	return `${words} for most rows, ${high < at(1) ? `at most ${at(1)}` : `at least ${at(0)}`},`;
}

/** Returns a cell of the overall ranking: `koa (20,345)`, with its places if they are shared. */
export function placeOf(row: RankingRow, rate: string): Phrase {
	const shared = row.rank !== null && row.rank.first !== row.rank.last ? ` [${writeRank(row.rank)}]` : '';
	return phrase`${nameOf(row.server)} (${rate})${shared}`;
}

export const LOSS_TITLES: Readonly<Record<Exclude<Comparison['kind'], 'wrapper'>, string>> = {
	'middleware-loss': 'What five middlewares cost',
	'middlewares-20': 'What twenty middlewares cost',
	layers: 'What three middlewares cost over the same work in the handler',
	'production-delta': 'What the production stack costs',
	logging: 'What a log costs',
	serialiser: 'What JSON.stringify costs over the serialiser of the framework',
	routes: 'What a thousand routes cost over ten',
};

const PARITY =
	'All servers answer the same requests with the same documents. Before load each answer is checked in full, and so is each request that must be refused. Under load every status is counted, and some of the bodies are compared.';
const VALIDATION =
	'Where bodies are validated, the built-in servers check the same keys, types, lengths, ranges and patterns, each in the words of its validator: Ajv, TypeBox, Zod, Joi, class-validator, schema-dsl, or by hand in Go and Python. Validators that convert types or drop keys by themselves (Joi, the Ajv of Fastify) are told not to. The same bad bodies are sent to all of them before load. They differ in what they take for an e-mail address, in whether they stop at the first error, and in how they work: Ajv and TypeBox compile their schemas, and class-validator first makes instances of classes. That is part of what is measured.';

export function describeMethod({ setup, precision, seed, rows }: RankingResult): readonly string[] {
	const { windows, soloSeconds, firstWarmup } = setup.timing;
	const calls = callsOf(setup);
	const variation = `Requests per second of each round give the coefficient of variation (CoV): the ${nameDeviation(setup)} over the mean. Below 3 % it is excellent, below 5 % acceptable, up to 10 % noisy, and above that unreliable.`;
	const processes =
		windows === 0
			? 'Every server has processes of its own on a CPU of its own'
			: 'Server and reference have processes of their own, on one CPU';
	const rowProcesses = setup.processes
		? ' Each row has processes of its own, in which built-in servers whose routers try one route after the other have only the routes that the row requests.'
		: '';
	const watched = setup.scenarios.some(({ metrics }) => metrics?.includes('hot-reload'))
		? ' (for hot reload NODE_ENV=development)'
		: '';
	const isolation = `${processes}, without containers.${rowProcesses} The load generator has another CPU where the machine has two; the environment names it. Requests go over the loopback of the machine. Servers get NODE_ENV=production${watched} and few other variables. Their memory has no limit but that of --memory-limit, and one that exceeds it is killed. Whatever processes a server has started end with its turn.`;
	const lasts = formatDuration(firstWarmup.mostSeconds);
	const [each, alone] = firstWarmup.inTurn
		? [' on each of the two, one after the other', ' with the CPU to itself']
		: ['', ''];
	const warmup =
		firstWarmup.mostSeconds === 0
			? 'There is no warm-up.'
			: firstWarmup.requests === 0
				? `Before anything is counted there is load for ${lasts}${each}.`
				: `Before anything is counted each process answers ${formatCount(firstWarmup.requests)} requests, or as many as it can in ${lasts}${alone}.`;
	if (windows === 0) {
		const instead = setup.scenarios.some(({ metrics }) => metrics) ? ', or by what the scenario measures instead' : '';
		return [
			`Each server is ${calls ? `asked alone in its process, ${formatCount(calls.counted)} calls one after the other` : `loaded alone, one after the other, for ${formatDuration(soloSeconds)}`}, with fresh processes each time, as the page of the preset does. There is no reference, so there are no intervals: servers are ranked by their requests per second, or by CPU time per request where the load generator was at its limit${instead}.`,
			calls ? `${formatCount(calls.warmup)} calls before are not counted.` : `${warmup}${describeStages(setup)}`,
			describeAggregate(setup),
			isolation,
			PARITY,
			VALIDATION,
			variation,
		];
	}
	return [
		`${describeDesign(setup)} Its 95 % interval comes from the rounds, each with fresh processes; the requests inside a round are not counted as independent.`,
		...describeReference(rows),
		`Rounds end when every interval reaches at most ±${formatPercent(precision, 1)}, or when the budget is spent. If the rounds of a row lie closer together than those of the whole run, the row gets the spread of the whole run.`,
		'Servers whose intervals overlap share places: 1-2 means that either of two servers may be first. The rank of a server is one more than the number of servers whose whole interval lies above its own.',
		`Requests per second, latency and CPU per request are those of the server alone, in ${setup.design ? 'the same windows' : `a window of ${formatDuration(soloSeconds)} each round`}; each is the median over rounds. They hold for this machine only. Shares carry over to other machines better, so compare shares, not absolute values.`,
		variation,
		isolation,
		PARITY,
		VALIDATION,
		`${warmup} The order of servers, scenarios, process starts and windows is drawn from the seed ${seed}.`,
	];
}

function describeReference(rows: RankingResult['rows']): readonly string[] {
	const weights = rows.flatMap(({ ownReference }) => ownReference ?? []);
	if (weights.length === 0) return [];
	const [least, most] = [Math.min(...weights), Math.max(...weights)].map((weight) => formatPercent(weight, 0));
	const counts = least === most ? `${most}` : `${least} to ${most}`;
	return [
		`Some processes of a program are faster than others. So the process of the reference beside a server counts only as far as the two were fast or slow together, which all rows of the scenario show (here ${counts}); the rest is the mean of all processes of the reference in that round.`,
	];
}

function describeDesign({ design, afterwork, timing: { windows, windowSeconds } }: RankingSetup): string {
	const length = formatWindow(windowSeconds);
	if (design === undefined) {
		return `Each server is measured beside the reference: both processes share one CPU and are loaded at the same time, so both see the same noise. The share is the ratio of what they answer in ${windows} windows of ${length}.`;
	}
	return `Each server is measured in turn with the reference: both processes run on one CPU, and one is loaded while the other rests, in ${windows} windows of ${length} each; where answers take long${afterwork ? ', or a server stops now and then' : ''}, in fewer and longer ones.${afterwork ? ' What a server still does when it has answered, such as collecting garbage, counts as its own.' : ''} So each has the CPU for itself, and neighbouring windows see nearly the same noise. The share is the ratio of what the two answer in all their windows.`;
}

export function describeLoad(setup: RankingSetup): string {
	const { windows, windowSeconds, soloSeconds, firstWarmup } = setup.timing;
	const calls = callsOf(setup);
	if (calls)
		return `${formatCount(calls.counted)} calls in each round, after ${formatCount(calls.warmup)} that are not counted`;
	const warmup =
		firstWarmup.mostSeconds === 0 ? 'no warm-up' : `warm-up up to ${formatDuration(firstWarmup.mostSeconds)}`;
	const alone = `${formatDuration(soloSeconds)} alone`;
	const short = `${windows} windows of ${formatWindow(windowSeconds)}`;
	const beside = setup.design ? `${short} in turn with the reference` : `${short} beside the reference, ${alone}`;
	return `${warmup}, ${windows === 0 ? alone : beside} in each round; connections: beside each scenario`;
}

export function nameDeviation({ preset }: RankingSetup): string {
	return findPreset(preset)?.deviation === 'population'
		? 'population standard deviation (n)'
		: 'sample standard deviation (n − 1)';
}

function describeStages({ timing: { stages } }: RankingSetup): string {
	if (stages === undefined) return '';
	const parts = stages.map(({ seconds, connections }) => `to ${connections} in ${formatDuration(seconds)}`);
	return ` Connections come and go evenly: ${joinWords(parts)}. All of it is counted.`;
}

function describeAggregate({ preset }: RankingSetup): string {
	switch (findPreset(preset)?.aggregate) {
		case 'median-round':
			return 'Of several rounds all figures are those of the one whose requests per second are the median, as on the page. What was counted is of all rounds.';
		case 'mean':
			return 'Of several rounds each figure is the mean, as on the page.';
		default:
			return 'Of several rounds each figure is the median.';
	}
}

/** No command has a fixed rate, because autocannon sends all requests of a second at once. */
export function describeByHand({ setup, measuringSeconds }: RankingResult): readonly Phrase[] {
	const needs = phrase`It needs Node 22 or later with npm, and took ${formatDuration(measuringSeconds)} here, without installing.`;
	const scenario = setup.scenarios.find(({ byHand, load }) => byHand !== undefined && load.rate === undefined);
	if (scenario?.byHand === undefined) return [needs];
	const { connections, pipelining } = scenario.load;
	const seconds = Math.max(1, Math.round(setup.timing.soloSeconds));
	const command = `npx autocannon -c ${connections} -p ${pipelining} -d ${seconds} ${scenario.byHand}`;
	return [
		needs,
		phrase`To load a server of your own as in ${{ code: plainText(scenario.name, MESSAGE_LIMIT) }}, by hand: ${{ code: plainText(command, MESSAGE_LIMIT) }}`,
	];
}
