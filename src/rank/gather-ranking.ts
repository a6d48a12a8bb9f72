import { attemptsOf, endOf } from '../judge/gather-shards.ts';
import { NAME_LIMIT, plainText } from '../text/escape.ts';
import { UserError } from '../types/errors.ts';
import type { RankedServer, RankingData } from '../types/ranking/ranking.ts';
import type { RankedShard, RankingShard } from '../types/ranking/ranking-shards.ts';
import type { Warning } from '../types/units.ts';
import { mergeData } from './read-log.ts';

/** `name` is the name of the log, for messages. */
export interface RankingRun {
	readonly name: string;
	readonly data: RankingData;
}

type ShardOfRun = RankingRun & { readonly stamp: RankingShard };

/**
 * Returns merged runs: the shards of one ranking, or runs without shards (`mergeData`). Of several attempts at a shard,
 * the first complete one counts, else the first. A missing shard's servers stay in the tables, with the reason. Throws
 * UserError for unrelated runs.
 */
export function joinRuns(runs: readonly [RankingRun, ...RankingRun[]]): RankingData {
	const stamped = runs.flatMap((run) => (run.data.shard === undefined ? [] : [{ ...run, stamp: run.data.shard }]));
	const [first] = stamped;
	if (first === undefined) {
		checkCopies(runs);
		return merge(runs);
	}
	const stray = runs.find(({ data }) => data.shard?.planHash !== first.stamp.planHash);
	if (stray !== undefined) throw otherRanking(first, stray);
	return gather(first.stamp, stamped.toSorted(byTime));
}

/** Rounds that count twice make an interval too narrow. Equal figures show a copy, because no two rounds have them. */
function checkCopies(runs: readonly RankingRun[]): void {
	const seen = new Map<string, string>();
	for (const { name, data } of runs) {
		const [sample] = data.samples;
		if (sample === undefined) continue;
		const key = JSON.stringify(sample);
		const before = seen.get(key);
		if (before !== undefined) {
			throw new UserError({
				code: 'same-run',
				where: name,
				message: `it has rounds of ${before}, which would count twice`,
				remedy: 'name each run once; of a run and a copy of it that went on, name the longer one',
			});
		}
		seen.set(key, name);
	}
}

function gather({ servers: divided, whole, planHash }: RankingShard, runs: readonly ShardOfRun[]): RankingData {
	const choices = attemptsOf(divided.length, runs, { shardOf: ({ stamp }) => stamp.shard, isComplete, isSame }).map(
		({ shard, complete, first, besides }) => {
			const counts = complete ?? first;
			return { shard, servers: divided[shard - 1] ?? [], counts, others: counts ? besides(counts) : [] };
		},
	);
	const [first, ...more] = choices.flatMap(({ counts }) => counts ?? []);
	if (first === undefined) throw new RangeError(`no shard of ${planHash}`);
	const merged = merge([first, ...more]);
	const shards = choices.map(({ shard, servers, counts }) => describe(shard, servers, counts));
	// Shards are one run, and the report lists them.
	const { shard: _, runs: __, ...rest } = merged;
	return {
		...rest,
		// Every shard has all scenarios of the ranking.
		setup: first.data.setup,
		createdAt: [first, ...more].map(({ data }) => data.createdAt).sort()[0] as string,
		servers: serversOf(merged.servers, shards),
		samples: [first, ...more].flatMap(({ data, stamp }) =>
			data.samples.map((sample) => ({ ...sample, shard: stamp.shard })),
		),
		warnings: [
			...shards.flatMap(warnOf),
			...choices.flatMap(({ shard, counts, others }) => warnOfOthers(shard, counts, others)),
			...merged.warnings,
		],
		ended: endOf(shards.flatMap(({ state, ended }) => (state === 'complete' && ended ? [ended] : []))),
		reproduce: whole,
		shards,
	};
}

function merge(runs: readonly [RankingRun, ...RankingRun[]]): RankingData {
	const [first, ...others] = runs;
	return mergeData(
		[first.data, ...others.map(({ data }) => data)],
		runs.map(({ name }) => name),
	);
}

function describe(shard: number, servers: readonly string[], run: ShardOfRun | null): RankedShard {
	if (run === null) return { shard, state: 'missing', servers };
	const { createdAt, ended, environment, samples } = run.data;
	return {
		shard,
		state: isComplete(run) ? 'complete' : 'cut-off',
		servers,
		startedAt: createdAt,
		ended,
		environment,
		rounds: Math.max(0, ...samples.map(({ round }) => round)),
		seconds: samples.reduce((sum, { seconds }) => sum + seconds, 0),
	};
}

function serversOf(mergedServers: readonly RankedServer[], shards: readonly RankedShard[]): readonly RankedServer[] {
	const missing = shards.flatMap(({ shard, state, servers }) =>
		state === 'missing' ? servers.map((name): RankedServer => absent(name, shard)) : [],
	);
	return [...mergedServers, ...missing.filter(({ name }) => !mergedServers.some((one) => one.name === name))];
}

function absent(name: string, shard: number): RankedServer {
	const reason = `shard ${shard} left no measurement`;
	return { name, description: '', state: 'not-installed', reason, versions: {}, direct: [] };
}

function warnOf({ shard, state, servers }: RankedShard): Warning[] {
	const names = servers.map((name) => plainText(name, NAME_LIMIT)).join(', ');
	if (state === 'missing') {
		const message = `Shard ${shard} left no measurement, so nothing is known about ${names}. Run that shard, then gather again.`;
		return [{ code: 'shard-missing', message }];
	}
	if (state === 'complete') return [];
	const message = `Shard ${shard} was cut off before its end. What it measured of ${names} before that counts.`;
	return [{ code: 'shard-missing', message }];
}

function warnOfOthers(shard: number, counts: RankingRun | null, others: readonly RankingRun[]): Warning[] {
	if (counts === null || others.length === 0) return [];
	const [name, ...otherNames] = [counts, ...others].map((run) => plainText(run.name, NAME_LIMIT));
	const message = `Shard ${shard} was measured more than once: ${name} counts, ${otherNames.join(', ')} ${otherNames.length === 1 ? 'does' : 'do'} not.`;
	return [{ code: 'shard-attempt', message }];
}

function isComplete({ data }: RankingRun): boolean {
	return data.ended !== 'interrupted';
}

function isSame({ data: one }: RankingRun, { data: other }: RankingRun): boolean {
	return one.createdAt === other.createdAt && one.samples.length === other.samples.length;
}

function byTime(one: RankingRun, other: RankingRun): number {
	const key = ({ data: { createdAt }, name }: RankingRun) => `${createdAt} ${name}`;
	return key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0;
}

function otherRanking(first: RankingRun, stray: RankingRun): UserError {
	const what = stray.data.shard === undefined ? 'it is no shard' : 'it is a shard of another ranking';
	return new UserError({
		code: 'other-run',
		where: stray.name,
		message: `it cannot be merged with ${first.name}: ${what}`,
		remedy: 'gather the shards of one command, measured by one version of benchgate with the same options and config',
	});
}
