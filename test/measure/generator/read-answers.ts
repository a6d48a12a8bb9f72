/** Answers as read by our reader and by Node's parser. */
import { createRequire } from 'node:module';
import { AnswerFault, type Head } from '../../../src/measure/generator/reading/answer-head.ts';
import { AnswerReader } from '../../../src/measure/generator/reading/answer-reader.ts';
import { BodyKeeper } from '../../../src/measure/generator/reading/body-keeper.ts';
import { Usual } from '../../../src/measure/generator/reading/usual.ts';

/** The answers of a connection, from its first byte to its end. */
export interface Read {
	readonly answers: readonly { readonly status: number; readonly body: string }[];
	/** Why reading stopped. */
	readonly fault: string | undefined;
	/** Bytes of the answers, as reported. */
	readonly bytes: number;
}

const usualHead = new Usual<Head>();
const usualBody = new Usual<string>();
/** The static buffer of a connection, which still contains earlier bytes. */
const INTO = Buffer.alloc(300_000);

/**
 * Reads the pieces one after another, each into the same bytes, then the end of the connection. `methods` are those of
 * the requests under way; the last one repeats for ever if `more` is set.
 */
export function readOurs(pieces: readonly Buffer[], methods: readonly string[], { more = true } = {}): Read {
	const answers: { status: number; body: string }[] = [];
	const keeper = new BodyKeeper();
	let bytes = 0;
	const reader = new AnswerReader({
		expected: () => {
			const method = methods[answers.length] ?? (more ? methods.at(-1) : undefined);
			keeper.begin(usualBody);
			return method === undefined ? undefined : { method, usualHead };
		},
		onPiece: (chunk, start, end) => keeper.add(chunk, start, end),
		onAnswer: (status, size) => {
			answers.push({ status, body: keeper.text });
			bytes += size;
			keeper.release();
		},
	});
	let fault: string | undefined;
	try {
		for (const piece of pieces) {
			piece.copy(INTO);
			reader.read(INTO, piece.length);
			keeper.settle();
		}
		reader.end();
	} catch (error) {
		if (!(error instanceof AnswerFault)) throw error;
		fault = error.message;
	}
	return { answers, fault, bytes };
}

/** The part of Node's HTTP client that parses; it is not in the types. */
interface NodeParser {
	initialize(type: number, resource: object): void;
	execute(bytes: Buffer): number | Error;
	finish(): unknown;
	[callback: number]: (...values: never[]) => unknown;
}
interface NodeParserClass {
	new (): NodeParser;
	readonly RESPONSE: number;
	readonly kOnHeadersComplete: number;
	readonly kOnBody: number;
	readonly kOnMessageComplete: number;
}
const { HTTPParser } = createRequire(import.meta.url)('node:_http_common') as { HTTPParser: NodeParserClass };

/** The same bytes as Node's client reads them, without informational answers. */
export function readNodes(bytes: Buffer, methods: readonly string[]): Omit<Read, 'bytes'> {
	const answers: { status: number; body: string }[] = [];
	const parser = new HTTPParser();
	parser.initialize(HTTPParser.RESPONSE, {});
	let current = { status: 0, body: Buffer.alloc(0) };
	let switched = false;
	parser[HTTPParser.kOnHeadersComplete] = ((...told: number[]) => {
		const status = told[5] as number;
		current = { status, body: Buffer.alloc(0) };
		if (status === 101) switched = true;
		if (status >= 100 && status < 200) return 1;
		return (methods[answers.length] ?? methods.at(-1)) === 'HEAD' ? 1 : 0;
	}) as () => unknown;
	parser[HTTPParser.kOnBody] = ((piece: Buffer) => {
		current.body = Buffer.concat([current.body, piece]);
	}) as () => unknown;
	parser[HTTPParser.kOnMessageComplete] = () => {
		const { status, body } = current;
		if (status < 100 || status >= 200) answers.push({ status, body: body.toString() });
	};
	const read = parser.execute(bytes);
	if (read instanceof Error) return { answers, fault: read.message };
	if (switched) return { answers, fault: 'switched' };
	parser.finish();
	return { answers, fault: undefined };
}

/** Cuts `bytes` at these places. */
export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
	const edges = [0, ...[...new Set(places)].filter((at) => at > 0 && at < bytes.length).sort((a, b) => a - b)];
	return edges.map((from, index) => bytes.subarray(from, edges[index + 1] ?? bytes.length));
}
