import { findPreset } from '../config/ranking/presets.ts';
import type { RankingRequest } from '../config/ranking/resolve-ranking.ts';
import { estimatePairs, type PairGroup, planAlone, planPairs, timingOfMeasure } from '../plan/ranking-pairs.ts';
import { kindOf } from '../rank/cell-state.ts';
import { expectedRounds } from '../rank/log-share.ts';
import { type RunningVersions, versionNotes } from '../rank/preset-notes.ts';
import { countOf, formatCount, formatDuration, formatPercent } from '../text/numbers.ts';
import { joinWords } from '../text/phrase.ts';
import type { Scenario } from '../types/config.ts';

/** Describes a ranking's plan and duration without installing. `versions` are those its servers would run, if known. */
export function describeDryRun(request: RankingRequest, versions: RunningVersions): string {
	const { config, reference } = request;
	const names = config.servers.map(({ name }) => name);
	const isAlone = request.preset !== null;
	const timing = timingOfMeasure({ ...request, isAlone });
	const planned = isAlone ? planAlone(config, names, timing) : planPairs(config, names, reference, timing);
	const { groups, leftOut } = planned;
	const cells = groups.flatMap(({ plan }) => plan.cells);
	const notes = [...request.notes, ...versionNotes(versions, findPreset(request.preset))];
	const differences = notes.map(({ message }) => `Not as on the page: ${message}`);
	const missing = request.missing.map((name) => `${name} is not among the servers of this benchgate.`);
	return [
		`${countOf(names.length, 'server')}: ${names.join(', ')}`,
		`${countOf(config.scenarios.length, 'scenario')}: ${config.scenarios.map(({ name }) => name).join(', ')}`,
		`${countOf(cells.length, 'row')}, ${measuredWith(groups)}.`,
		...config.scenarios.flatMap(describeRate),
		...describeTime(request, groups),
		...leftOut.map(({ server, scenario, reason }) => `${server} leaves out ${scenario}: ${reason}`),
		...missing,
		...differences,
		`Repeat it: ${request.reproduce}`,
	].join('\n');
}

function describeRate({ name, load: { rate } }: Scenario): string[] {
	if (rate === undefined) return [];
	return [`${name}: ${formatCount(rate)} requests/s, however fast they are answered.`];
}

/** Assumed noise per round (log SD) on a quiet and on a busy machine. */
const SPREADS = [0.03, 0.05] as const;

function describeTime({ config, rounds, precision }: RankingRequest, groups: readonly PairGroup[]): string[] {
	const { budgetSeconds, scenarios } = config;
	const { fewest, most } = rounds;
	const budget = formatDuration(budgetSeconds);
	const least = estimatePairs(groups, fewest);
	const take = `${countOf(fewest, 'round')} ${fewest === 1 ? 'takes' : 'take'} about ${formatDuration(least)}.`;
	const few =
		least <= budgetSeconds
			? []
			: [
					`The budget of ${budget} is too little for that: some rows will have fewer rounds, or none. --budget ${Math.ceil(least / 60)}m is enough, and --shards divides the servers among machines.`,
				];
	if (fewest === most) return [take, ...(few.length > 0 ? few : [`Budget: ${budget}.`])];
	const alone = groups.filter(({ isAlone }) => isAlone);
	const kinds = splitByKind(
		groups.filter(({ isAlone }) => !isAlone),
		scenarios,
	);
	const until = SPREADS.map((spread) => {
		const seconds = kinds.map((kindGroups) => {
			const rows = kindGroups.reduce((sum, { plan }) => sum + plan.cells.length, 0);
			return estimatePairs(kindGroups, Math.min(most, expectedRounds(precision, spread, rows, fewest)));
		});
		const minutes = Math.ceil(
			seconds.reduce((sum, kindSeconds) => sum + kindSeconds, estimatePairs(alone, fewest)) / 60,
		);
		return `${formatDuration(60 * minutes)} where a round spreads by ${formatPercent(spread, 1)}`;
	});
	return [
		`${take} That is the fewest.`,
		...(kinds.length === 0
			? []
			: [`Until every row reaches ±${formatPercent(precision, 1)}: about ${joinWords(until)}.`]),
		...(few.length > 0 ? few : [`Measuring ends after ${budget} (the budget).`]),
	];
}

/** Each row is judged by the spread of its kind (decision 0067). */
function splitByKind(groups: readonly PairGroup[], scenarios: readonly Scenario[]): readonly (readonly PairGroup[])[] {
	const kinds = new Map(scenarios.map((scenario) => [scenario.name, kindOf(scenario)]));
	return [...new Set(kinds.values())]
		.map((kind) =>
			groups.flatMap((group) => {
				const cells = group.plan.cells.filter(({ scenario }) => kinds.get(scenario) === kind);
				return cells.length === 0 ? [] : { ...group, plan: { ...group.plan, cells } };
			}),
		)
		.filter((kindGroups) => kindGroups.length > 0);
}

function measuredWith(groups: readonly PairGroup[]): string {
	// A preset starts two processes of one server to measure start and memory.
	const isByItself = ({ reference, isAlone, plan }: PairGroup) =>
		isAlone || plan.cells.every(({ server }) => server === reference);
	const references = new Set(groups.flatMap((group) => (isByItself(group) ? [] : group.reference)));
	if (references.size === 0) return 'each alone';
	const alone = groups.some(({ isAlone }) => isAlone) ? ', and each alone in worker processes' : '';
	return `in turn with ${[...references].join(', ')}${alone}`;
}
