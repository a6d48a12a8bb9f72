import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { LATE, within } from '../process/deadline.ts';
import { OWN_NODE_FLAGS } from '../process/debugger.ts';
import { ENTRIES } from '../process/entries.ts';
import { ownVariables, scrubEnvironment } from '../process/environment.ts';
import { signalGroup } from '../process/processes.ts';
import { EXIT, UserError } from '../types/errors.ts';
import type { Janitor } from '../types/run-services.ts';
import type { Side } from '../types/units.ts';
import type { Affinity } from './affinity.ts';
import { MOST_FOOTPRINT_SECONDS } from './generator/footprint.ts';
import type { FromGenerator, Learnt, Opened, TurnOrder, TurnReport } from './generator/messages.ts';
import { LONGEST_REST_SECONDS } from './generator/watch-rest.ts';

export interface Generator {
	readonly pid: number;
	/**
	 * Rejects if load had to stop. Calls `onOpened` for each connection, and `learn` (which must not reject) before
	 * windows if the order sets `learns`.
	 */
	runTurn(
		order: Omit<TurnOrder, 'kind' | 'id'>,
		signal: AbortSignal,
		onOpened?: (ports: Opened['ports']) => void,
		learn?: () => Promise<Learnt>,
	): Promise<TurnReport>;
	close(): Promise<void>;
}

const START_MS = 60_000;
const CLOSE_MS = 5_000;
/** Beyond the planned length. Only a stuck generator exceeds it, even with answers of ten seconds. */
const SLACK_MS = 300_000;

/** The server broke, or the run is being stopped. */
export class TurnFailed extends Error {
	readonly sides: readonly Side[];
	constructor(message: string, sides: readonly Side[] = []) {
		super(message);
		this.sides = sides;
	}
}

/**
 * Starts the generator on its CPU. A turn fails after several times its planned length plus `slackMs`. Throws UserError
 * `generator-lost`.
 */
export async function startGenerator(affinity: Affinity, janitor: Janitor, slackMs = SLACK_MS): Promise<Generator> {
	const [program = '', ...args] = affinity.pin('generator', [
		...[process.execPath, ...OWN_NODE_FLAGS],
		ENTRIES.generator,
	]);
	const child = spawn(program, args, {
		detached: true,
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		env: { ...scrubEnvironment(process.env, 'serve'), ...ownVariables(process.env) },
	});
	const release = child.pid === undefined ? () => {} : janitor.guardGroup(child.pid);
	// Prevents an unhandled 'error' event between two messages.
	child.on('error', () => {});
	await inTime(child, START_MS, nextMessage(child, 'ready'));
	let id = 0;
	return {
		pid: child.pid ?? 0,
		async runTurn(order, signal, onOpened, learn = async () => null) {
			const message: TurnOrder = { ...order, kind: 'turn', id: ++id };
			const answer = nextMessage(child, message.id);
			const answerLearn = (requests: Learnt) => child.connected && child.send({ kind: 'learnt', requests }, () => {});
			const onMessage = (event: FromGenerator) => {
				if (event.kind === 'opened' && event.id === message.id) onOpened?.(event.ports);
				if (event.kind === 'learn' && event.id === message.id) void learn().then(answerLearn);
			};
			child.on('message', onMessage);
			const stop = () => child.connected && child.send({ kind: 'abort' }, () => {});
			signal.addEventListener('abort', stop, { once: true });
			child.send(message);
			if (signal.aborted) stop();
			try {
				return await inTime(child, longestTurn(order) + slackMs, answer);
			} finally {
				child.off('message', onMessage);
				signal.removeEventListener('abort', stop);
			}
		},
		async close() {
			if (child.exitCode === null && child.signalCode === null) {
				const exited = once(child, 'exit');
				child.disconnect();
				if ((await within(CLOSE_MS, exited)) === LATE) {
					signalGroup(child.pid ?? 0, 'SIGKILL');
					await within(CLOSE_MS, exited);
				}
			}
			release();
		},
	};
}

/** Kills a generator that does not answer in time (such as a stopped one) and throws UserError. */
async function inTime<T>(child: ChildProcess, milliseconds: number, answer: Promise<T>): Promise<T> {
	const outcome = await within(milliseconds, answer);
	if (outcome !== LATE) return outcome;
	answer.catch(() => {});
	if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
	throw lost(`did not answer within ${Math.round(milliseconds / 1000)} s`);
}

/** Returns four times the planned length, in milliseconds. */
function longestTurn({ warmup, timing, turn, footprint, rest }: Omit<TurnOrder, 'kind' | 'id'>): number {
	const each = timing.settleSeconds + timing.windowSeconds;
	const solo = turn.soloFirst === undefined ? 0 : timing.settleSeconds + timing.soloSeconds;
	const after = footprint === undefined ? 0 : MOST_FOOTPRINT_SECONDS;
	const warming = (warmup.inTurn ? 2 : 1) * warmup.mostSeconds;
	const resting = rest ? LONGEST_REST_SECONDS : 0;
	return 4_000 * (warming + 2 * timing.windows * each + 2 * solo + after + resting);
}

function lost(how: string): UserError {
	return new UserError({
		code: 'generator-lost',
		message: `the load generator ${how}, so nothing more can be measured`,
		remedy:
			'see whether something on this machine stops or kills processes (memory limits, the code under test), and run again',
		exitCode: EXIT.nothingMeasured,
	});
}

/** Rejects on a failure, or if the process ends first. */
function nextMessage(child: ChildProcess, wanted: number | 'ready'): Promise<TurnReport> {
	return new Promise((resolve, reject) => {
		const finish = (settle: () => void) => {
			child.off('message', onMessage);
			child.off('exit', onExit);
			child.off('error', onError);
			settle();
		};
		const onMessage = (message: FromGenerator) => {
			if (message.kind === 'opened' || message.kind === 'learn') return;
			if (message.kind === 'ready' ? wanted !== 'ready' : message.id !== wanted) return;
			if (message.kind === 'failure') finish(() => reject(new TurnFailed(message.message, message.sides)));
			else finish(() => resolve(message as TurnReport));
		};
		const onExit = (code: number | null, signal: string | null) =>
			finish(() => reject(lost(`ended by itself (${signal ?? `exit code ${code}`})`)));
		// Also occurs if a message cannot reach a process that just ended.
		const onError = (error: Error) =>
			finish(() =>
				reject(
					child.pid === undefined
						? new Error('the generator process could not be started', { cause: error })
						: lost('ended by itself'),
				),
			);
		child.on('message', onMessage);
		child.on('exit', onExit);
		child.on('error', onError);
	});
}
