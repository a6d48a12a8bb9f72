/** The generator process: runs one turn at a time, ordered over IPC. */
import '../../process/no-debugger.ts';
import { LoadStopped } from './load-stopped.ts';
import type { FromGenerator, Learnt, ToGenerator } from './messages.ts';
import { runTurn } from './turn.ts';

let abort: AbortController | null = null;
let onLearnt: (requests: Learnt) => void = () => {};

process.on('message', (message: ToGenerator) => {
	if (message.kind === 'abort') {
		abort?.abort('the run was stopped');
		return;
	}
	if (message.kind === 'learnt') {
		onLearnt(message.requests);
		return;
	}
	abort = new AbortController();
	const { id } = message;
	const learn = () =>
		new Promise<Learnt>((resolve) => {
			onLearnt = resolve;
			send({ kind: 'learn', id });
		});
	runTurn(message, abort, (ports) => send({ kind: 'opened', id, ports }), learn).then(
		(report) => send(report),
		(error: unknown) => {
			const sides = error instanceof LoadStopped ? error.sides : [];
			const words = error instanceof Error ? error.message : String(error);
			send({ kind: 'failure', id, message: words, sides });
		},
	);
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole terminal group; the orchestrator decides when load ends.
process.on('SIGINT', () => {});

send({ kind: 'ready' });

function send(message: FromGenerator): void {
	process.send?.(message);
}
