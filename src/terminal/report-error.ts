import pc from 'picocolors';
import { EXIT, isUserError } from '../types/errors.ts';

/**
 * Prints an error for a person and returns the exit code it asks for: what, where and what to do for errors the reader
 * can fix; the stack and where to report it for bugs of ours.
 */
export function reportError(error: unknown, stream: NodeJS.WriteStream): number {
	const colours = pc.createColors(stream.isTTY === true && process.env.NO_COLOR === undefined);
	if (!isUserError(error)) {
		const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
		stream.write(`${colours.red('benchgate: this is a bug of benchgate, please report it:')}\n${stack}\n`);
		return EXIT.nothingMeasured;
	}
	const where = error.where ? `${error.where}: ` : '';
	stream.write(`${colours.red('benchgate:')} ${where}${error.message}\n`);
	if (error.details) stream.write(`${indent(error.details)}\n`);
	if (error.remedy) stream.write(`${colours.bold('To fix it:')} ${error.remedy}\n`);
	return error.exitCode;
}

function indent(text: string): string {
	return text
		.split('\n')
		.map((line) => `  | ${line}`)
		.join('\n');
}
