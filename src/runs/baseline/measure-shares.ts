/** Measures servers in turn with the reference: shares are comparable across machines. */
import { loadCatalogue } from '../../config/load-catalogue.ts';
import type { ReferenceFigures } from '../../judge/baseline/baseline-record.ts';
import { invalidityOf } from '../../judge/guard-warnings.ts';
import { samplesByCell } from '../../judge/looks/samples.ts';
import { openBench } from '../../measure/bench.ts';
import { BUILTIN_RULES } from '../../measure/pair.ts';
import { planShares, SHARE_ROUNDS } from '../../plan/baseline-duets.ts';
import { planRound } from '../../plan/plan-round.ts';
import { planTraffics } from '../../plan/traffic.ts';
import { preparePinned } from '../../prepare/prepare-pinned.ts';
import type { PrepareContext } from '../../prepare/prepare-sides.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import { referenceFigures } from '../../rank/reference-figures.ts';
import type { BuiltinServer, Config } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import type { Plan } from '../../types/plan.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../../types/prepared.ts';
import type { Round } from '../../types/round.ts';
import { REFERENCE_SERVER } from '../../types/shared-names.ts';

export interface ShareOptions extends PrepareContext {
	readonly config: Config;
	readonly tell: (note: string) => void;
}

/**
 * Returns figures of cells of head that the reference also answers. Levels do not need them: a broken cell or missing
 * reference is only reported.
 */
export async function measureShares(options: ShareOptions, head: PreparedSide): Promise<ReferenceFigures> {
	const { config, progress, signal, tell } = options;
	const reference = await findReference(config);
	const plan = reference && planShares(config, Object.keys(head.servers), reference);
	if (!plan) return new Map();
	progress.step(`Measuring in turn with ${REFERENCE_SERVER}, which absolute figures are compared with`);
	try {
		const prepared = await besideReference(options, reference, head);
		return referenceFigures(await measureRounds(options, plan, prepared));
	} catch (error) {
		signal.throwIfAborted();
		if (!isUserError(error)) throw error;
		tell(`${REFERENCE_SERVER} could not be measured, so no figure is given as a share of it (${error.message})`);
		return new Map();
	}
}

/** Broken cells are not loaded again. */
async function measureRounds(
	{ runtimes: _, ...options }: ShareOptions,
	plan: Plan,
	prepared: Prepared,
): Promise<readonly Round[]> {
	const { config, progress } = options;
	const bench = await openBench({ ...options, limits: config });
	try {
		const traffics = planTraffics(config.scenarios, plan.seed);
		const traffic = ({ name }: { readonly name: string }) => traffics.get(name);
		const laboratory = bench.laboratory({ config, prepared, timing: () => plan.timing, traffic });
		const rounds: Round[] = [];
		const last = Math.min(SHARE_ROUNDS, config.rounds ?? SHARE_ROUNDS);
		for (let round = 1; round <= last; round++) {
			const samples = samplesByCell(rounds, 'main');
			const well = plan.cells.filter(
				({ id }) => invalidityOf(samples.get(id) ?? [], 1, { isRanking: true }).length === 0,
			);
			progress.status(`Round ${round} of ${last} in turn with ${REFERENCE_SERVER}`);
			const ids = well.map(({ id }) => id);
			if (ids.length > 0) rounds.push(await laboratory.runRound(planRound(plan, round, ids, 'main')));
		}
		return rounds;
	} finally {
		progress.status('');
		await bench.close();
	}
}

async function findReference(config: Config): Promise<BuiltinServer | null> {
	const catalogueServer = (await loadCatalogue(TOOL_ROOT)).servers.find(({ name }) => name === REFERENCE_SERVER);
	if (catalogueServer === undefined || config.scenarios.length === 0) return null;
	const { without } = catalogueServer;
	return { kind: 'built-in', name: REFERENCE_SERVER, ...(without && { without }) };
}

/** Base is the reference, under each server's name, on the current Node. Head runs on its own runtime. */
async function besideReference(
	{ runtimes, ...context }: ShareOptions,
	reference: BuiltinServer,
	{ servers, ...head }: PreparedSide,
): Promise<Prepared> {
	const { runtime: _runtime, baseRuntime: _base, headRuntime: _head, ...config } = context.config;
	const pinned = await preparePinned({ ...config, servers: [reference] }, context);
	const made = pinned.sides.base.servers[REFERENCE_SERVER] as PreparedServer;
	const beside = Object.keys(servers).map((name) => [name, { ...made, starting: BUILTIN_RULES }] as const);
	const headServers = Object.entries(servers).map(
		([name, server]) => [name, runtimes ? { ...server, runtime: runtimes.head } : server] as const,
	);
	return {
		sides: {
			base: { ...pinned.sides.base, servers: Object.fromEntries(beside) },
			head: { ...head, servers: Object.fromEntries(headServers) },
		},
		warnings: [],
		installs: pinned.installs,
		unrelated: true,
	};
}
