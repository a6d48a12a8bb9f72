/** How long a reload takes: a process is ended as a watcher or a process manager does, and started again at its port. */
import type { ServerSpec } from '../../types/config.ts';
import type { PairPlan } from '../../types/plan.ts';
import type { Prepared } from '../../types/prepared.ts';
import { otherSide, type Seconds, type Side, type Sides } from '../../types/units.ts';
import { type FirstAsk, type Pair, type StartContext, startSide } from '../pair.ts';
import { StartFailure } from '../server-process.ts';

/**
 * Returns how long it takes each side from SIGTERM until the process that follows has answered: the time it needs to end, and that of
 * the next start, without what the config runs between them. One side after the other; null where the new process did not answer.
 * Both of a pair have ended then, and it is to be disposed of. Throws the abort reason when `context.signal` fires meanwhile.
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
		const left = performance.now();
		try {
			await using next = await startSide(spec, prepared, plan, context, { side, port: old.port, isTimed: true });
			const answered = await ask(next.origin);
			return answered ? (left - began + performance.now() - next.spawnedAt) / 1000 : null;
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
