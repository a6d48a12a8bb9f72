import { max, mean } from 'simple-statistics';
import { halfWidthOf } from '../../rank/ratios.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatCount, formatPair, formatPercent, NONE } from '../../text/numbers.ts';
import { joinAnd, joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS } from '../../types/metric.ts';
import type { RankingResult, RankingRow } from '../../types/ranking/ranking.ts';
import { wrapperPairs } from './compared/compared-rates.ts';
import { comparableAverages, type Ranked } from './compared/servers-in-short.ts';
import { nameOf, STATE_WORDS } from './ranking-words.ts';

const MOST_NAMED = 12;

export function conclusionsOf(result: RankingResult, scenarios: readonly Ranked[]): readonly Phrase[] {
	return [
		...firstPlaces(scenarios, result),
		...averages(scenarios, result),
		...wrappers(result),
		...memory(result),
		...answers(result),
		...precision(result),
		...broken(result),
		...notReached(result),
		...absent(result),
	];
}

/** Counts only scenarios with at least two placed servers. */
function firstPlaces(all: readonly Ranked[], { setup }: RankingResult): readonly Phrase[] {
	const scenarios = all.filter(({ rows }) => rows.filter(({ rank }) => rank !== null).length > 1);
	if (scenarios.length === 0) return [];
	const firsts = scenarios.map(({ rows }) => rows.filter(({ rank }) => rank?.first === 1));
	const isShared = firsts.some((rows) => rows.length > 1);
	const first = isShared ? 'First, or sharing first place' : 'First';
	const listed = setup.scenarios.length;
	const words =
		scenarios.length === listed ? first : `${first}, in the ${scenarios.length} of ${listed} scenarios with places`;
	const ranked = scenarios.flatMap(({ rows }) => rows.filter(({ rank }) => rank !== null));
	const counts = [...Map.groupBy(firsts.flat(), ({ server }) => server)].map(([server, { length }]) => ({
		server,
		first: length,
		of: ranked.filter((row) => row.server === server).length,
	}));
	if (scenarios.length === 1) return [phrase`${words}: ${namesOf(counts.map(({ server }) => server))}.`];
	const total = scenarios.length;
	const groups = [...Map.groupBy(counts, ({ first, of }) => `${first} of ${of}`).values()];
	const parts = groups
		.toSorted(([one], [other]) => (other?.first ?? 0) - (one?.first ?? 0))
		.map((servers) => {
			const names = namesOf(servers.map(({ server }) => server));
			const [one] = servers;
			return phrase`${names} in ${one === undefined ? NONE : writeFirsts({ ...one, total, many: servers.length > 1 })}`;
		});
	return [phrase`${words}: ${joinPhrases(parts, ', ')}.`];
}

function writeFirsts({ first, of, total, many }: Record<'first' | 'of' | 'total', number> & { many: boolean }): string {
	if (of === total) {
		if (first < of) return `${first} of ${total}`;
		return total === 2 ? 'both scenarios' : `all ${countOf(total, 'scenario')}`;
	}
	if (first < of) return `${first} of ${many ? 'their' : 'its'} ${of}`;
	if (of === 1) return `${many ? 'their' : 'its'} only one`;
	return `${of === 2 ? 'both' : `all ${of}`} of ${many ? 'theirs' : 'its own'}`;
}

function averages(scenarios: readonly Ranked[], { setup }: RankingResult): readonly Phrase[] {
	const whole = comparableAverages(scenarios);
	const most = whole[0]?.standings.length ?? 0;
	if (most < 2) return [];
	const parts = whole.map(({ server, part }) => phrase`${nameOf(server)} ${formatPercent(part, 0)}`);
	const listed = setup.scenarios.length;
	const which =
		most === listed
			? countOf(most, 'scenario')
			: `the ${most} of ${countOf(listed, 'scenario')} that compare requests/s`;
	return [phrase`Of the fastest, on average over ${which}: ${shorten(parts)}.`];
}

function wrappers(result: RankingResult): readonly Phrase[] {
	return wrapperPairs(result).map(({ wrapper, host, scenarios }) => {
		const loss = mean(scenarios.map((one) => one.loss.value));
		const where = scenarios.length === 1 ? '' : `, on average over ${countOf(scenarios.length, 'scenario')}`;
		const words = `${formatPercent(Math.abs(loss), 1)} ${loss < 0 ? 'more' : 'fewer'} requests than`;
		return phrase`${nameOf(wrapper)} answers ${words} ${nameOf(host)}${where}.`;
	});
}

function memory({ rows }: RankingResult): readonly Phrase[] {
	const peaks = [...Map.groupBy(rows, ({ server }) => server)].flatMap(([server, serverRows]) => {
		const rowPeaks = serverRows.flatMap(({ alone }) => alone?.metrics['memory-peak'] ?? []);
		return rowPeaks.length === 0 ? [] : [{ server, peak: max(rowPeaks) }];
	});
	const sorted = peaks.toSorted((one, other) => one.peak - other.peak);
	const [least, most] = [sorted[0], sorted.at(-1)];
	if (least === undefined || most === undefined || least === most) return [];
	const { base, head, unit } = formatPair(least.peak, most.peak, METRICS['memory-peak'].unit);
	return [
		phrase`Peak memory: from ${base} ${unit} (${nameOf(least.server)}) to ${head} ${unit} (${nameOf(most.server)}).`,
	];
}

function answers({ rows }: RankingResult): readonly Phrase[] {
	const totals = rows.flatMap(({ alone }) => alone?.totals ?? []);
	const counted = totals.reduce((sum, { requests }) => sum + requests, 0);
	const failed = totals.reduce((sum, { errors, unexpected }) => sum + errors + unexpected, 0);
	if (counted === 0) return [];
	return failed === 0
		? [phrase`Counted answers: ${formatCount(counted)}, all with a status that was expected.`]
		: [
				phrase`Counted answers: ${formatCount(counted)}; ${countOf(failed, 'request')} failed or got a wrong answer, see the column of checks.`,
			];
}

const REMEDIES: Readonly<Record<RankingResult['ended'], Phrase>> = {
	decided: [],
	budget: [' A larger ', { code: '--budget' }, ' makes them narrower.'],
	rounds: [' More rounds make them narrower.'],
	interrupted: [],
};

function precision({ rows, precision: limit, ended, setup }: RankingResult): readonly Phrase[] {
	const paired = new Set(setup.scenarios.flatMap(({ name, reference }) => (reference === null ? [] : name)));
	const measured = rows.filter(({ state, scenario }) => state === 'measured' && paired.has(scenario));
	const intervals = measured.flatMap((row) =>
		row.share === null || row.share.low === row.share.high ? [] : [{ row, half: halfWidthOf(row.share) }],
	);
	const wide = intervals.filter(({ half }) => half > limit).toSorted((one, other) => other.half - one.half);
	const bare = measured.filter(({ share }) => share === null).length;
	const [widest] = wide;
	const reach = (half: number) => (half > 1 ? 'more than ±100 %' : `at most ±${formatPercent(half, 1)}`);
	return [
		...(widest === undefined
			? []
			: [
					phrase`Wider than ±${formatPercent(limit, 1)}: ${String(wide.length)} of ${countOf(intervals.length, 'interval')}, ${reach(widest.half)} (${rowName(widest.row)}).${REMEDIES[ended]}`,
				]),
		...(bare === 0 ? [] : [phrase`Without an interval, after a single round: ${countOf(bare, 'row')}.`]),
	];
}

function broken({ rows }: RankingResult): readonly Phrase[] {
	const names = rows.filter(({ state }) => state === 'broken').map(rowName);
	return names.length === 0 ? [] : [phrase`Broken, with the reason below its table: ${shorten(names)}.`];
}

/** Ignores rows of the reference, which is measured with the first server that works. */
function notReached({ rows, setup }: RankingResult): readonly Phrase[] {
	const references = new Map(setup.scenarios.map(({ name, reference }) => [name, reference]));
	const otherRows = rows.filter(({ scenario, server }) => references.get(scenario) !== server);
	const { length } = otherRows.filter(({ state }) => state === 'not-reached');
	return length === 0 ? [] : [phrase`Not reached: ${String(length)} of ${countOf(otherRows.length, 'row')}.`];
}

/** Leaves out the servers of missing shards, because a warning covers them. */
function absent({ servers, shards = [] }: RankingResult): readonly Phrase[] {
	const lost = shards.flatMap((shard) => (shard.state === 'missing' ? shard.servers : []));
	return servers.flatMap(({ name, state, reason }) =>
		state === 'installed' || lost.includes(name)
			? []
			: [phrase`${nameOf(name)}, ${STATE_WORDS[state]}: ${{ text: plainText(reason ?? '', MESSAGE_LIMIT) }}`],
	);
}

function rowName({ server, scenario }: RankingRow): Phrase {
	return nameOf(`${server}/${scenario}`);
}

function namesOf(servers: readonly string[]): Phrase {
	return servers.length > MOST_NAMED ? shorten(servers.map(nameOf)) : joinAnd(servers.map(nameOf));
}

function shorten(parts: readonly Phrase[]): Phrase {
	const more = parts.length - MOST_NAMED;
	const shown = joinPhrases(parts.slice(0, MOST_NAMED), ', ');
	return more > 0 ? phrase`${shown} and ${String(more)} more` : shown;
}
