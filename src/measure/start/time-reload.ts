/** Reload time under `node --watch`, from a file change to the first answer with it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntilAtRest } from '../../process/at-rest.ts';
import type { HttpRequest, ServerSpec } from '../../types/config.ts';
import type { PairPlan } from '../../types/plan.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { Fault, SideStart } from '../../types/round.ts';
import { otherSide, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';
import { ask, NoAnswer } from '../answers/ask.ts';
import { type FirstAsk, type Pair, type StartContext, startSide } from '../pair.ts';
import { StartFailure } from '../server-process.ts';

/** Set by servers/shared/hosting/hot-reload.mjs. */
const HEADER = 'x-benchgate-content';
const FIRST_CONTENT = 1;
/** The median of these is the round's figure. */
const CHANGES = 3;
const DEADLINE_MS = 10_000;
/** Node may not yet watch a file that it just imported. */
const TRIES = 2;
const POLL_MS = 1;
const WATCHER_LINE = /^(?:Change detected in|Restarting|Completed running|Failed running) /;
const ASK_TIMEOUT_MS = 2_000;

export interface HotReloadSetting {
	readonly folder: string;
	readonly first: Side;
	/** Default: ten seconds. */
	readonly deadlineMs?: number;
	readonly signal: AbortSignal;
}

export function contentFile(folder: string, side: Side): string {
	return join(folder, `content-${side}.mjs`);
}

export function writeFirstContent(folder: string): void {
	for (const side of SIDES) writeContent(contentFile(folder, side), FIRST_CONTENT);
}

/** Writes in place, because Node stops watching a file that is replaced by a rename. */
function writeContent(file: string, content: number): void {
	writeFileSync(file, `export default ${content};\n`);
}

/**
 * Measures one side after the other. Returns each side's median over three changes, or the fault of a side that shows
 * no change. Memory is not measured: a watcher is not part of the server. Throws the abort reason.
 */
export async function timeHotReload(
	pair: Pair,
	request: HttpRequest,
	setting: HotReloadSetting,
): Promise<{ readonly start: Sides<SideStart>; readonly faults: readonly Fault[] }> {
	const faults: Fault[] = [];
	const hotReload: Sides<Seconds | null> = { base: null, head: null };
	for (const side of [setting.first, otherSide(setting.first)]) {
		try {
			hotReload[side] = await timeSide(pair, side, request, setting);
		} catch (error) {
			if (!(error instanceof Unchanged)) throw error;
			const output = ownLines(pair[side].lastLines());
			const message = `${side} did not ${error.message}${output === '' ? '' : `; it printed: ${output}`}`;
			faults.push({ code: 'not-reloaded', side, message });
		}
	}
	const of = (side: Side): SideStart => ({ seconds: null, memory: null, hotReload: hotReload[side] });
	return { start: { base: of('base'), head: of('head') }, faults };
}

function ownLines(printed: string): string {
	const lines = printed.split('\n').filter((line) => !WATCHER_LINE.test(line));
	return lines.join('\n').trim();
}

/** The message continues the words "did not". */
class Unchanged extends Error {}

async function timeSide(pair: Pair, side: Side, request: HttpRequest, setting: HotReloadSetting): Promise<Seconds> {
	const { deadlineMs = DEADLINE_MS, folder, signal } = setting;
	const { origin } = pair[side];
	if ((await contentOf(origin, request)) !== String(FIRST_CONTENT)) {
		throw new Unchanged(`say which content it has: its answer has no header ${HEADER}, which node:http would send`);
	}
	const taken: Seconds[] = [];
	let tries = 0;
	for (let content = FIRST_CONTENT + 1; taken.length < CHANGES; content++) {
		await waitUntilAtRest(pair);
		const began = performance.now();
		writeContent(contentFile(folder, side), content);
		if (await showsWithin(deadlineMs, origin, request, String(content), signal)) {
			taken.push((performance.now() - began) / 1000);
			tries = 0;
		} else if (++tries === TRIES) {
			throw new Unchanged(`answer with a changed file within ${deadlineMs / 1000} s of the change`);
		}
	}
	return taken.toSorted((one, other) => one - other)[(CHANGES - 1) / 2] as Seconds;
}

async function showsWithin(
	milliseconds: number,
	origin: string,
	request: HttpRequest,
	content: string,
	signal: AbortSignal,
): Promise<boolean> {
	const due = performance.now() + milliseconds;
	while (performance.now() < due) {
		signal.throwIfAborted();
		if ((await contentOf(origin, request)) === content) return true;
		await delay(POLL_MS);
	}
	return false;
}

/** Undefined without an answer or without the header. */
async function contentOf(origin: string, request: HttpRequest): Promise<string | undefined> {
	try {
		const { headers, status } = await ask(origin, request, { timeoutMs: ASK_TIMEOUT_MS });
		return status < 500 ? headers[HEADER] : undefined;
	} catch (error) {
		if (error instanceof NoAnswer) return undefined;
		throw error;
	}
}

/**
 * Returns the time from SIGTERM to the first answer of each side's successor on the same port, without the config's
 * commands in between; null without an answer. Both have ended then. Throws the abort reason.
 */
export async function timeRestart(
	spec: ServerSpec,
	prepared: Prepared,
	pair: Pair,
	plan: Pick<PairPlan, 'startFirst' | 'slot'>,
	context: StartContext,
	ask: FirstAsk,
): Promise<Sides<Seconds | null>> {
	const restart = async (side: Side): Promise<Seconds | null> => {
		const old = pair[side];
		const began = performance.now();
		await old.leave();
		const leftAt = performance.now();
		try {
			await using next = await startSide(spec, prepared, plan, context, { side, port: old.port, isTimed: true });
			const answered = await ask(next.origin);
			return answered ? (leftAt - began + performance.now() - next.spawnedAt) / 1000 : null;
		} catch (error) {
			context.signal.throwIfAborted();
			if (error instanceof StartFailure) return null;
			throw error;
		}
	};
	const first = plan.startFirst;
	const [one, other] = [await restart(first), await restart(otherSide(first))];
	return first === 'base' ? { base: one, head: other } : { base: other, head: one };
}
