import { flagOf, type OptionTexts } from '../../config/option-names.ts';
import { OPTIONS } from '../../config/options.ts';
import { flagsError } from '../../config/read-flags.ts';

/** How a ranking is divided, and what of it is measured here. */
export interface AskedShards {
	/** How many shards; as many as are worth it when null. */
	readonly count: number | null;
	/** From 1; null where they are only to be shown. */
	readonly shard: number | null;
}

/** What says something about shards. */
interface ShardsFlags extends Pick<OptionTexts, 'shards' | 'shard' | 'preset'> {
	readonly out?: string;
	readonly merge?: string;
	readonly dryRun?: boolean;
}

/** Returns what flags say of shards; null when they say nothing. Throws a UserError that names every unusable flag. */
export function readShards(flags: ShardsFlags): AskedShards | null {
	const { shards, shard, preset, out, merge, dryRun = false } = flags;
	if (shards === undefined && shard === undefined) return null;
	const complaints = [...unreadable('shards', shards), ...unreadable('shard', shard)];
	const complain = (when: boolean, what: string) => void (when && complaints.push(what));
	complain(shards === undefined, '--shard: needs --shards NUMBER, how many there are');
	complain(shard === undefined && !dryRun, '--shards: needs --shard NUMBER, which of them to measure, or --dry-run');
	complain(
		shard !== undefined && !dryRun && out === undefined,
		'--shard: needs --out FOLDER, where gather finds what was measured',
	);
	complain(preset !== undefined, '--preset: not with --shards; its ranking is by figures of one machine');
	complain(merge !== undefined, '--merge: not with --shards; nothing is measured');
	if (complaints.length > 0) throw flagsError(complaints);
	return {
		count: OPTIONS.shards.kind.parse(shards?.trim() ?? '') ?? null,
		shard: OPTIONS.shard.kind.parse(shard?.trim() ?? '') ?? null,
	};
}

function unreadable(name: 'shards' | 'shard', text: string | undefined): string[] {
	const { kind } = OPTIONS[name];
	if (text === undefined || kind.parse(text.trim()) !== undefined) return [];
	return [`${flagOf(name)} ${text}: not allowed; ${kind.form}`];
}
