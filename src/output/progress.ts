import { createLogUpdate } from 'log-update';
import { plainText, terminalText } from '../text/escape.ts';
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
	let shown = '';
	const draw = () => {
		if (status !== '') live(`${status}, ${Math.floor(options.clock() - since)} s${shown}`);
	};
	// So that a long step never looks like a stopped one.
	const ticking = setInterval(draw, TICK_MS).unref();
	return {
		step(text) {
			live.clear();
			stream.write(`${lineOf(text, options)}\n`);
			draw();
		},
		status(text, output) {
			if (text !== status) since = options.clock();
			status = text;
			shown = shorten(output);
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
	let status = '';
	let since = 0;
	return {
		step: (text) => void stream.write(`${lineOf(text, options)}\n`),
		status(text, output) {
			const now = options.clock();
			if (text !== status) since = now;
			status = text;
			const isDue = now - (output === undefined ? last : Math.max(last, since)) >= options.everySeconds;
			if (text === '' || !isDue) return;
			last = now;
			const seconds = output === undefined ? '' : `, ${Math.floor(now - since)} s`;
			stream.write(`${lineOf(`${text}${seconds}${shorten(output)}`, options)}\n`);
		},
		end() {},
	};
}

const LONGEST_OUTPUT = 100;

function shorten(output = ''): string {
	return output === '' ? '' : `: ${plainText(output, LONGEST_OUTPUT)}`;
}

function lineOf(text: string, options: Pick<ProgressOptions, 'escape'>): string {
	const safe = terminalText(text);
	return options.escape ? options.escape(safe) : safe;
}
