/**
 * Do other load generators rank the same servers alike? Loads each built-in server alone, in turn with our generator,
 * unmodified autocannon, and wrk and k6 if installed. Prints requests per second (medians over rounds with fresh
 * processes), the order of each generator, and the pairs of servers that it orders differently from ours. `npm run
 * bench:generator` prints how to install them.
 * Options: --servers express,koa,fastify,hono,node-http --path /ping --rounds 3 --seconds 4 --connections 50
 */
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { median } from 'simple-statistics';
import { findAffinity } from '../src/measure/affinity.ts';
import { startGenerator } from '../src/measure/generator-process.ts';
import { type ServerProcess, startServer } from '../src/measure/server-process.ts';
import { preparePinned } from '../src/prepare/prepare-pinned.ts';
import { findDrivers } from './shared/drivers.ts';
import { configOf, openTools } from './shared/set-up.ts';

const { values: flags } = parseArgs({
	options: {
		servers: { type: 'string', default: 'express,koa,fastify,hono,node-http' },
		path: { type: 'string', default: '/ping' },
		rounds: { type: 'string', default: '3' },
		seconds: { type: 'string', default: '4' },
		connections: { type: 'string', default: '50' },
	},
});
const { path } = flags;
const [seconds, connections] = [Number(flags.seconds), Number(flags.connections)];
const servers = flags.servers.split(',');
const OURS = 'benchgate';

const tools = await openTools();
const { node, janitor, signal } = tools;
const affinity = findAffinity();
const prepared = await preparePinned(await configOf({ server: flags.servers, scenario: 'ping' }), tools);
const generator = await startGenerator(affinity, janitor);
const { found, missing } = findDrivers({ affinity, janitor, connections, seconds });

/** Requests per second of a server under our load alone. */
async function measureOurs({ origin, pid }: ServerProcess): Promise<number> {
	const warmup = { requests: 40_000, leastSeconds: 1, mostSeconds: 4 };
	const target = { origin, pid, request: { method: 'GET', path, headers: {} } };
	const { windows } = await generator.runTurn(
		{
			turn: { cell: 'ranks', clientFirst: 'base', windowFirst: 'base', soloFirst: 'base', only: 'base' },
			design: 'duet',
			targets: { base: target, head: target },
			load: { connections, pipelining: 1 },
			timing: {
				...{ firstWarmup: warmup, warmup, settleSeconds: 0.3, windowSeconds: 0.1, windows: 0 },
				...{ soloSeconds: seconds, soloRounds: 1 },
			},
			warmup,
			serverCpu: affinity.serverCpu,
			awake: affinity.generatorAlone,
			statuses: [200],
			runStartedAt: Date.now(),
		},
		signal,
	);
	const base = windows.find(({ kind }) => kind === 'solo')?.base;
	if (!base) throw new Error('no window');
	return base.completed / base.seconds;
}

const rates = new Map<string, Map<string, number[]>>();
const note = (driver: string, server: string, rate: number) => {
	const byServer = rates.get(driver) ?? new Map<string, number[]>();
	rates.set(driver, byServer.set(server, [...(byServer.get(server) ?? []), rate]));
};
let port = 31_500;
for (let round = 0; round < Number(flags.rounds); round++) {
	for (const name of servers) {
		const server = prepared.sides.base.servers[name];
		if (server === undefined) throw new Error(`there is no built-in server ${name}`);
		await using running = await startServer({
			...{ side: 'base', server, port: port++, slot: 'slot_0', ready: { timeoutSeconds: 30 } },
			...{ affinity, janitor, node, logFolder: tmpdir(), signal },
		});
		note(OURS, name, await measureOurs(running));
		for (const driver of found) note(driver.name, name, (await driver.measure(running, path)).rate);
		process.stderr.write('.');
	}
}
process.stderr.write('\n');

const medians = new Map(
	[...rates].map(([driver, own]) => [driver, new Map([...own].map(([name, all]) => [name, median(all)]))]),
);
const rateOf = (driver: string, server: string) => medians.get(driver)?.get(server) ?? 0;
const isFaster = (driver: string, one: string, other: string) => rateOf(driver, one) > rateOf(driver, other);
const pairs = servers.flatMap((one, at) => servers.slice(at + 1).map((other) => [one, other] as const));
console.log(
	`${affinity.note}; ${connections} connections on ${path}, ${seconds} s each, medians of ${flags.rounds} rounds`,
);
console.table(
	[...medians.keys()].map((driver) => ({
		generator: driver,
		...Object.fromEntries(servers.map((name) => [name, Math.round(rateOf(driver, name))])),
		order: servers.toSorted((one, other) => rateOf(driver, other) - rateOf(driver, one)).join(' > '),
		'ordered otherwise': pairs
			.filter(([one, other]) => isFaster(driver, one, other) !== isFaster(OURS, one, other))
			.map((pair) => pair.join('/'))
			.join(', '),
	})),
);
for (const one of missing) console.log(`not installed: ${one}`);
await generator.close();
await janitor.close();
