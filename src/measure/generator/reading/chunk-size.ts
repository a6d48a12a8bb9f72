/** The size of a chunk, from the line that begins it. */
import { AnswerFault } from './answer-head.ts';

const OF_HEX = Int8Array.from({ length: 256 }, (_, byte) => {
	const digit = Number.parseInt(String.fromCharCode(byte), 16);
	return Number.isNaN(digit) ? -1 : digit;
});
/** What may follow the size of a chunk (RFC 9112, section 7.1.1), without white space. */
const EXTENSIONS =
	/^(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]*|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*$/;

/** Returns the size of a chunk in bytes from the line that begins it. Throws AnswerFault. */
export function readChunkSize(bytes: Buffer, start: number, end: number): number {
	let size = 0;
	let at = start;
	for (; at < end; at++) {
		const digit = OF_HEX[bytes[at] as number] as number;
		if (digit < 0) break;
		size = 16 * size + digit;
		if (size > Number.MAX_SAFE_INTEGER) throw new AnswerFault('a chunk of more bytes than can be');
	}
	if (at === start) throw new AnswerFault('a chunk without a size');
	if (at < end && !EXTENSIONS.test(bytes.toString('latin1', at, end)))
		throw new AnswerFault('a chunk with a broken extension');
	return size;
}
