/**
 * Do three ways to measure a server's share of another agree? Windows in turn, as in a ranking; each server alone for a
 * long time; both at once (a duet). Fresh processes each round, the ways in turn. Prints each share with its 95 %
 * interval, its spread over rounds, the time of a round, and the difference from the share of long windows alone.
 * Options: --servers koa,express,fastify --reference node-http --scenario ping --rounds 10 --alone 4 (seconds of each
 * long window, or 0: neither these nor a duet) --variants 12x0.1,24x0.05x0.005 (windows in turn × seconds × seconds of
 * load before each; default: those of a ranking) --json FILE (every log ratio)
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { mean, sampleStandardDeviation } from 'simple-statistics';
import { findCacheFolder } from '../src/cli/measuring.ts';
import { loadCatalogue } from '../src/config/load-catalogue.ts';
import { resolveConfig } from '../src/config/resolve-config.ts';
import { openBench } from '../src/measure/bench.ts';
import { findNode } from '../src/measure/machine.ts';
import { planRound } from '../src/plan/plan-round.ts';
import { planPairs, timingOfMeasure } from '../src/plan/ranking-pairs.ts';
import { timingFor } from '../src/plan/timing.ts';
import { preparePinned } from '../src/prepare/prepare-pinned.ts';
import { TOOL_ROOT } from '../src/process/entries.ts';
import { startJanitor } from '../src/process/janitor.ts';
import { logShareOf, ratioOf, shareOf } from '../src/rank/ratios.ts';
import { samplesOf } from '../src/rank/turn-sample.ts';
import { tellAskedPaths } from '../src/runs/ranking/install-servers.ts';
import type { Design } from '../src/types/config.ts';
import type { Timing } from '../src/types/plan.ts';

const { values: flags } = parseArgs({
	options: {
		servers: { type: 'string', default: 'koa,express,fastify' },
		reference: { type: 'string', default: 'node-http' },
		scenario: { type: 'string', default: 'ping' },
		rounds: { type: 'string', default: '10' },
		alone: { type: 'string', default: '4' },
		variants: { type: 'string' },
		json: { type: 'string' },
	},
});
const { reference, scenario } = flags;
const servers = flags.servers.split(',');

/** A way to measure; rounds of the duet also have the long windows alone. */
interface Way {
	readonly name: string;
	readonly design: Design;
	readonly timing: Timing;
}

const usual = timingOfMeasure({});
const beside = timingFor({ design: 'duet' });
const DUET = 'duet';
const ALONE = `${flags.alone} s alone`;
const soloSeconds = Number(flags.alone);
const ways: readonly Way[] = [
	...(flags.variants?.split(',') ?? [`${usual.windows}x${usual.windowSeconds}`]).map((text): Way => {
		const [windows = usual.windows, windowSeconds = usual.windowSeconds, settleSeconds = usual.settleSeconds] = text
			.split('x')
			.map(Number);
		const timing = { ...usual, windows, windowSeconds, settleSeconds };
		return { name: `in turn ${text}`, design: 'alternating', timing };
	}),
	...(soloSeconds === 0
		? []
		: [
				{
					name: DUET,
					design: 'duet' as const,
					timing: { ...beside, firstWarmup: usual.firstWarmup, soloSeconds, soloRounds: 1_000_000 },
				},
			]),
];

const janitor = await startJanitor();
const node = findNode(undefined);
const { signal } = new AbortController();
const cacheFolder = findCacheFolder();
const bench = await openBench({ cacheFolder, node, janitor, signal });
const progress = { step: (text: string) => console.error(text), status() {} };
const names = [...new Set([reference, ...servers])];
const catalogue = await loadCatalogue(TOOL_ROOT);
const config = resolveConfig(null, { server: names.join(','), scenario }, catalogue, () => 1);
const context = { cwd: process.cwd(), toolRoot: TOOL_ROOT, cacheFolder, node, janitor, progress, signal };
const { sides, ...prepared } = await preparePinned(config, context);
const preparedServers = tellAskedPaths(new Map(Object.entries(sides.base.servers)), config.servers, config.scenarios);
const standing = preparedServers.get(reference);
if (standing === undefined) throw new Error(`there is no built-in server ${reference}`);
const base = { ...sides.base, servers: Object.fromEntries(servers.map((name) => [name, standing])) };
const head = { ...sides.head, servers: Object.fromEntries(preparedServers) };
const { groups } = planPairs(config, names, reference, usual);

/** Log ratios by server and way, of CPU per request too, and seconds of a round. */
const ratios = new Map<string, number[]>();
const cpuRatios = new Map<string, number[]>();
const seconds = new Map<string, number[]>();
const add = (to: Map<string, number[]>, key: string, value: number | null | undefined) =>
	to.set(key, [...(to.get(key) ?? []), ...(value == null ? [] : [value])]);

async function measure(server: string, round: number, { name, design, timing }: Way): Promise<void> {
	const laboratory = bench.laboratory({
		config,
		prepared: { ...prepared, sides: { base, head }, unrelated: true },
		timing: () => timing,
	});
	const group = groups.find(({ plan }) => plan.cells.some((cell) => cell.server === server));
	if (group === undefined) throw new Error(`${server} is not measured with ${reference}`);
	const plan = { ...group.plan, design, timing };
	const done = await laboratory.runRound(planRound(plan, round, [`${server}/${scenario}`], 'main'));
	const [sample] = samplesOf(done, () => reference);
	if (sample === undefined || sample.faults[0]) throw new Error(sample?.faults[0]?.message ?? 'nothing was measured');
	add(ratios, `${server} ${name}`, sample.d.throughput);
	add(cpuRatios, `${server} ${name}`, sample.d['cpu-per-request']);
	add(seconds, `${server} ${name}`, done.seconds);
	const [own, other] = [sample.alone.server, sample.alone.reference].map((alone) => alone?.metrics.throughput);
	if (name === DUET && own && other) add(ratios, `${server} ${ALONE}`, Math.log(own / other));
}

for (let round = 1; round <= Number(flags.rounds); round++) {
	const order = round % 2 === 0 ? ways : ways.toReversed();
	for (const server of servers) for (const way of order) await measure(server, round, way);
	process.stderr.write('.');
}
process.stderr.write('\n');

const load = loadavg()[0] ?? 0;
const percent = (fraction: number) => Number((100 * fraction).toFixed(1));
console.log(
	`${bench.affinity.note}; ${scenario}, share of ${reference}, ${flags.rounds} rounds; load average at the end ${load.toFixed(1)}`,
);
console.table(
	servers.flatMap((server) => {
		const alone = logShareOf(ratios.get(`${server} ${ALONE}`) ?? [], []);
		return [...ways.map(({ name }) => name), ...(soloSeconds === 0 ? [] : [ALONE])].map((name) => {
			const d = ratios.get(`${server} ${name}`) ?? [];
			const share = logShareOf(d, []);
			const times = seconds.get(`${server} ${name}`);
			const cpu = cpuRatios.get(`${server} ${name}`) ?? [];
			if (share === null) return { server, measured: name };
			const { value, low, high } = shareOf(share);
			const apart = alone && name !== ALONE ? ratioOf(share, alone) : null;
			return {
				server,
				measured: name,
				'share %': percent(value),
				'95 %': `${percent(low)} … ${percent(high)}`,
				'SD of a round %': percent(sampleStandardDeviation(d)),
				'by CPU %': cpu.length > 1 ? percent(Math.exp(mean(cpu))) : '',
				'SD by CPU %': cpu.length > 1 ? percent(sampleStandardDeviation(cpu)) : '',
				's a round': times ? Number(mean(times).toFixed(1)) : '',
				'over alone %': apart === null ? '' : percent(apart.value - 1),
				'its 95 %': apart === null ? '' : `${percent(apart.low - 1)} … ${percent(apart.high - 1)}`,
			};
		});
	}),
);
if (flags.json) writeFileSync(flags.json, JSON.stringify(Object.fromEntries(ratios)));
await bench.close();
await janitor.close();
