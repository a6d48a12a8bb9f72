import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatDuration } from '../../text/numbers.ts';
import { joinAnd, type Phrase, phrase } from '../../text/phrase.ts';
import type { MeasureRow } from '../../types/ranking/measure.ts';
import type { MeasuredShard } from '../../types/ranking/measured-shards.ts';
import { STATES } from '../shards/shard-lines.ts';
import { nameOf } from './measure-words.ts';

/** Returns a fact for each shard of a gathered ranking: what it ranked, how long that took, and on which machine. */
export function describeShards(shards: readonly MeasuredShard[]): readonly (readonly [string, Phrase])[] {
	return shards.map((one) => [`Shard ${one.shard}`, describe(one)]);
}

function describe({ state, servers, environment, rounds = 0, seconds = 0 }: MeasuredShard): Phrase {
	const names = joinAnd(servers.map(nameOf));
	if (environment === undefined) return phrase`${STATES.missing}: ${names}`;
	const cut = state === 'cut-off' ? `, ${STATES['cut-off']}` : '';
	const { cpuModel, cpus, kernel, node, pinning } = environment;
	const machine = { text: plainText(`${cpuModel}, ${countOf(cpus, 'CPU')}`, NAME_LIMIT) };
	const system = { text: plainText(`kernel ${kernel}, Node ${node}, ${pinning}`, MESSAGE_LIMIT) };
	return phrase`${names} in ${countOf(rounds, 'round')}, ${formatDuration(seconds)}${cut}; ${machine}, ${system}`;
}

/** Returns whether figures alone of these rows may stand side by side: they are of one machine. */
export function areOfOneMachine(rows: readonly Pick<MeasureRow, 'shard'>[]): boolean {
	return new Set(rows.flatMap(({ shard }) => shard ?? [])).size < 2;
}
