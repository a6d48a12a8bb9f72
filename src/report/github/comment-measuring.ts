/** The comment during a run. */
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatMoment } from '../../text/numbers.ts';
import { phrase } from '../../text/phrase.ts';
import { fold, writeLink, writeMarkdown } from '../document/markdown-writer.ts';
import { SHORT_SHA } from './comment.ts';

/** In characters. GitHub's limit is 65,536; the rest is for the marker. */
const ROOM = 65_000;

export interface MeasuringContext {
	readonly headSha: string;
	/** Absent, like the next two, until it is known. */
	readonly baseLabel?: string;
	/** ISO 8601. */
	readonly startedAt?: string;
	readonly expectedMinutes?: number;
	readonly runUrl: string;
	/** The report that this comment replaces, without its marker. It stays visible in a fold. */
	readonly previous?: string;
	/** Present if several machines measure. */
	readonly shards?: { readonly of: number; readonly ended: readonly number[] };
}

export function renderMeasuring(measuring: MeasuringContext): string {
	const { headSha, baseLabel, runUrl, previous = '', shards } = measuring;
	const head = { code: plainText(headSha.slice(0, SHORT_SHA), SHORT_SHA) };
	const what =
		baseLabel === undefined
			? phrase`${head} is waiting to be measured`
			: phrase`Measuring ${head} against ${{ code: plainText(baseLabel, NAME_LIMIT) }}`;
	const follow = writeLink('follow the run', runUrl);
	const text = [
		`### ⏳ ${writeMarkdown(what)}`,
		...(shards ? [describeShards(shards)] : []),
		`${describeStart(measuring, follow)}. The report will replace this comment.`,
	].join('\n\n');
	const kept = previous.trim() === '' ? '' : `\n\n${fold('Report of an earlier commit', previous.trim())}`;
	return `${text}${text.length + kept.length < ROOM ? kept : ''}\n`;
}

/** Keeps the earlier report that is folded in `marked`. */
export function renderNotMeasured(marked: string, { headSha, runUrl }: Pick<MeasuringContext, 'headSha' | 'runUrl'>) {
	const head = writeMarkdown([{ code: plainText(headSha.slice(0, SHORT_SHA), SHORT_SHA) }]);
	const [, kept = ''] = /(\n\n<details>.*)$/s.exec(marked) ?? [];
	return `### ⏹️ ${head} was not measured\n\n${writeLink('The run', runUrl)} ended without a result.${kept.trimEnd()}\n`;
}

function describeStart({ startedAt, expectedMinutes, shards }: MeasuringContext, follow: string): string {
	if (startedAt === undefined || expectedMinutes === undefined) return `To see how far it is, ${follow}`;
	const minutes = countOf(Math.max(1, Math.ceil(expectedMinutes)), 'minute');
	return `Started ${formatMoment(startedAt)}; ${shards && shards.of > 1 ? 'each' : 'it'} measures for at most ${minutes}: ${follow}`;
}

function describeShards({ of, ended }: NonNullable<MeasuringContext['shards']>): string {
	if (ended.length === 0) return of === 1 ? 'One shard.' : `${of} shards at the same time, one on each machine.`;
	if (ended.length === of) return `${of === 1 ? 'The shard has' : `All ${of} shards have`} ended.`;
	const which = ended.length === 1 ? 'has ended: shard' : 'have ended: shards';
	return `${ended.length} of ${countOf(of, 'shard')} ${which} ${ended.join(', ')}.`;
}
