import type { RankingLog } from '../formats/ranking-log.ts';
import { UserError } from '../types/errors.ts';
import type { LogLine, RankingData } from '../types/ranking/ranking.ts';
import { OWN_DRIVER, type RankedScenario, type RankingSetup } from '../types/ranking/ranking-setup.ts';
import type { EndReason } from '../types/round.ts';
import type { Warning } from '../types/units.ts';

type LineOf<K extends LogLine['kind']> = Extract<LogLine, { readonly kind: K }>;

/**
 * Returns the merged runs of a log. If a server or pair has several entries, the last counts. Throws UserError for a
 * log without measurements.
 */
export function dataOf({ header, lines }: RankingLog): RankingData {
	const sessions = linesOf(lines, 'session');
	const last = sessions.at(-1);
	if (last === undefined) {
		throw new UserError({
			code: 'measure-log',
			message: 'the log of measurements has no measurement yet',
			remedy: 'run benchgate measure with the same --out again: it continues the log',
		});
	}
	const ends = linesOf(lines, 'end');
	const { kind: _kind, schemaVersion: _version, ...rest } = header;
	// A killed run writes no end.
	const isOver = lines.at(-1)?.kind === 'end';
	const samples = linesOf(lines, 'samples').flatMap((line) => line.samples);
	const measured = new Set(samples.map(({ server, scenario }) => `${server}/${scenario}`));
	return {
		...rest,
		// A resumed run may ask for narrower intervals.
		precision: last.precision ?? header.precision,
		environment: last.environment,
		servers: lastOfEach(
			sessions.flatMap(({ servers }) => servers),
			({ name }) => name,
		),
		unmeasured: lastOfEach(
			sessions.flatMap(({ unmeasured }) => unmeasured),
			({ server, scenario }) => `${server}/${scenario}`,
		).filter(({ server, scenario }) => !measured.has(`${server}/${scenario}`)),
		samples,
		warnings: lastOfEach(
			ends.flatMap(({ warnings }) => warnings),
			({ message }) => message,
		),
		ended: isOver ? (ends.at(-1)?.ended ?? 'interrupted') : 'interrupted',
		reproduce: last.reproduce,
	};
}

/** Returns merged runs, which may add servers, scenarios or rounds. Throws UserError if load or reference differ. */
export function mergeData(parts: readonly [RankingData, ...RankingData[]], names: readonly string[]): RankingData {
	const [first, ...others] = parts;
	for (const [at, other] of others.entries()) {
		const difference = differenceOf(first.setup, other.setup);
		if (difference === null) continue;
		throw new UserError({
			code: 'other-run',
			where: names[at + 1] ?? '--merge',
			message: `it cannot be merged with ${names[0] ?? 'the first run'}: ${difference}`,
			remedy: 'merge runs with one reference, one load and one set of scenario definitions',
		});
	}
	const servers = parts.flatMap((part) => part.servers);
	const machines = new Set(
		parts.map(({ environment: { cpuModel, cpus, node } }) => `${cpuModel}, ${cpus} CPUs, Node ${node}`),
	);
	const mixed: Warning[] =
		machines.size < 2
			? []
			: [
					{
						code: 'several-machines',
						message: `The runs come from different machines (${[...machines].join('; ')}). Compare shares of the reference; do not compare requests per second.`,
					},
				];
	return {
		...first,
		setup: {
			...first.setup,
			scenarios: mergeScenarios(parts),
		},
		servers: lastOfEach(servers, ({ name }) => name).map(
			// Every run installs the reference, which may have failed on one machine.
			(server) => servers.findLast(({ name, state }) => name === server.name && state === 'installed') ?? server,
		),
		unmeasured: parts.flatMap(({ unmeasured }) => unmeasured),
		samples: numberOn(parts),
		warnings: [
			...lastOfEach(
				parts.flatMap(({ warnings }) => warnings),
				({ message }) => message,
			),
			...mixed,
		],
		// The narrowest interval that any run aimed for.
		precision: Math.min(...parts.map(({ precision }) => precision)),
		ended: endOf(parts.map(({ ended }) => ended)),
		reproduce: parts.map(({ reproduce }) => reproduce).join('\n'),
		...(parts.length > 1 && { runs: parts.length }),
	};
}

/** Renumbers rounds so that they stay distinct, because every run counts them from 1. */
function numberOn(parts: readonly RankingData[]): RankingData['samples'] {
	let before = 0;
	return parts.flatMap(({ samples }) => {
		const partSamples = samples.map((sample) => ({ ...sample, round: before + sample.round }));
		before = Math.max(before, ...partSamples.map(({ round }) => round));
		return partSamples;
	});
}

function endOf(ends: readonly EndReason[]): EndReason {
	return (['interrupted', 'budget', 'rounds'] as const).find((end) => ends.includes(end)) ?? 'decided';
}

/**
 * Returns why two setups cannot be one run; null if they can. Scenarios may differ, but a shared scenario has one
 * definition.
 */
export function differenceOf(one: RankingSetup, other: RankingSetup): string | null {
	if (one.reference !== other.reference) return `the reference is ${other.reference} and not ${one.reference}`;
	if (one.preset !== other.preset) return 'the preset is another one';
	if (one.design !== other.design) return 'one loaded servers in turn with the reference, and the other beside it';
	if (one.processes !== other.processes) return 'one gave each row processes of its own, and the other did not';
	if (one.afterwork !== other.afterwork)
		return 'one counted what servers still did after their windows, and the other did not';
	if (one.vitals !== other.vitals) return 'one had servers report their garbage collection, and the other did not';
	if (!isSame(one.timing, other.timing)) return 'warm-up or windows have other lengths';
	if (one.driver !== other.driver) {
		return `it was loaded by ${other.driver ?? OWN_DRIVER} and not by ${one.driver ?? OWN_DRIVER}`;
	}
	const shared = one.scenarios.flatMap((scenario): [RankedScenario, RankedScenario][] => {
		const same = other.scenarios.find(({ name }) => name === scenario.name);
		return same ? [[scenario, same]] : [];
	});
	// `byHand` has no effect, and older logs lack some of these.
	const asMeasured = ({ byHand: _, inProcess: __, servers: ___, ...scenario }: RankedScenario) => scenario;
	const differs = shared.find(
		([scenarioOfOne, scenarioOfOther]) => !isSame(asMeasured(scenarioOfOne), asMeasured(scenarioOfOther)),
	);
	return differs ? `${differs[0].name} is loaded or defined otherwise` : null;
}

/** The last definition of each scenario counts. A run that names no servers means all. */
function mergeScenarios(parts: readonly RankingData[]): RankedScenario[] {
	const all = parts.flatMap(({ setup, servers }) =>
		setup.scenarios.map((scenario) => ({ ...scenario, servers: scenario.servers ?? servers.map(({ name }) => name) })),
	);
	return lastOfEach(all, ({ name }) => name).map((scenario) => ({
		...scenario,
		servers: [...new Set(all.flatMap(({ name, servers }) => (name === scenario.name ? servers : [])))],
	}));
}

function isSame(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

function linesOf<K extends LogLine['kind']>(lines: readonly LogLine[], kind: K): LineOf<K>[] {
	return lines.filter((line): line is LineOf<K> => line.kind === kind);
}

function lastOfEach<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
	return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
