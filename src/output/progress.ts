import { createLogUpdate } from 'log-update';
import { terminalText } from '../text/escape.ts';
import type { Progress } from '../types/run-services.ts';

/** Progress that must be ended before the report is printed. */
export interface TerminalProgress extends Progress {
	end(): void;
}

export interface ProgressOptions {
	readonly quiet: boolean;
	/** Seconds between status lines. */
	readonly everySeconds: number;
	readonly clock: () => number;
	readonly plain?: boolean;
	readonly escape?: (text: string) => string;
}

const TICK_MS = 1000;

/**
 * Returns progress on `stream`: on a terminal, steps above a live status line; elsewhere plain lines, at most one status
 * per `everySeconds`. Steps may hold untrusted names.
 */
export function createProgress(stream: NodeJS.WriteStream, options: ProgressOptions): TerminalProgress {
	if (options.quiet) return { step() {}, status() {}, end() {} };
	if (options.plain === true || !stream.isTTY) return createPlainProgress(stream, options);
	const live = createLogUpdate(stream);
	let status = '';
	let since = 0;
	const draw = () => {
		if (status !== '') live(`${status}, ${Math.floor(options.clock() - since)} s`);
	};
	// So that a long step never looks like a stopped one.
	const ticking = setInterval(draw, TICK_MS).unref();
	return {
		step(text) {
			live.clear();
			stream.write(`${lineOf(text, options)}\n`);
			draw();
		},
		status(text) {
			if (text !== status) since = options.clock();
			status = text;
			if (text === '') live.clear();
			else draw();
		},
		end() {
			clearInterval(ticking);
			live.clear();
			live.done();
			status = '';
		},
	};
}

function createPlainProgress(
	stream: NodeJS.WriteStream,
	options: Pick<ProgressOptions, 'everySeconds' | 'clock' | 'escape'>,
): TerminalProgress {
	let last = Number.NEGATIVE_INFINITY;
	return {
		step: (text) => void stream.write(`${lineOf(text, options)}\n`),
		status(text) {
			const now = options.clock();
			if (text === '' || now - last < options.everySeconds) return;
			last = now;
			stream.write(`${lineOf(text, options)}\n`);
		},
		end() {},
	};
}

function lineOf(text: string, options: Pick<ProgressOptions, 'escape'>): string {
	const safe = terminalText(text);
	return options.escape ? options.escape(safe) : safe;
}
