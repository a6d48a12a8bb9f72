import pc from 'picocolors';
import { breakCommands, terminalText } from '../text/escape.ts';
import { EXIT, isUserError, UserError } from '../types/errors.ts';

/** A workflow may run this. */
export function logText(text: string): string {
	return process.env.GITHUB_ACTIONS === 'true' ? breakCommands(text) : text;
}

export function reportError(error: unknown, stream: NodeJS.WriteStream): number {
	const colours = pc.createColors(stream.isTTY === true && process.env.NO_COLOR === undefined);
	if (!isUserError(error)) {
		const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
		stream.write(`${colours.red('benchgate: this is a bug of benchgate, please report it:')}\n${stack}\n`);
		return EXIT.nothingMeasured;
	}
	const safe = (text: string) => logText(terminalText(text));
	const where = error.where ? `${error.where}: ` : '';
	stream.write(`${colours.red('benchgate:')} ${safe(`${where}${error.message}`)}\n`);
	if (error.details) stream.write(`${indent(safe(error.details))}\n`);
	if (error.remedy) stream.write(`${colours.bold('To fix it:')} ${safe(error.remedy)}\n`);
	return error.exitCode;
}

/** Ends on uncaught errors with exit code 3, because Node's own 1 means a failed gate. A reader may leave early. */
export function reportUncaught(): void {
	const leave = (error: unknown) => process.exit(reportError(error, process.stderr));
	process.on('uncaughtException', leave);
	for (const stream of [process.stdout, process.stderr]) {
		stream.on('error', (error: NodeJS.ErrnoException) => {
			if (error.code !== 'EPIPE') leave(cannotPrint(error));
		});
	}
}

function cannotPrint(cause: NodeJS.ErrnoException): UserError {
	return new UserError({
		code: 'cannot-print',
		where: 'stdout',
		message: `the report cannot be printed: ${cause.code === 'ENOSPC' ? 'the disk is full' : cause.message}`,
		remedy: 'send the output elsewhere; `benchgate judge` can render the report again from --raw',
		cause,
	});
}

function indent(text: string): string {
	return text
		.split('\n')
		.map((line) => `  | ${line}`)
		.join('\n');
}
