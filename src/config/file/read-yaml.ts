import {
	type Document,
	isAlias,
	isMap,
	isNode,
	isScalar,
	isSeq,
	LineCounter,
	parseDocument,
	visit,
	type YAMLMap,
	type YAMLParseError,
	type YAMLWarning,
} from 'yaml';
import { isExactNumber } from '../../text/numbers.ts';
import { isUserError, type UserError } from '../../types/errors.ts';
import { type Path, type Problem, problemsError } from './problem.ts';

export interface YamlSource {
	/** Null for an empty document. Acyclic, every number finite. */
	readonly value: unknown;
	/** 1-based line of the key or list item, or of its nearest existing parent. */
	lineOf(path: Path): number;
	/** Numbers that lose digits in JavaScript, with a remedy. */
	readonly inexact: readonly Problem[];
}

export class WrittenNumber {
	readonly value: number;
	readonly source: string;
	constructor(value: number, source: string) {
		this.value = value;
		this.source = source;
	}
	toString(): string {
		return this.source;
	}
	get isExact(): boolean {
		return !isDecimal(this.source) || isExactNumber(this.source);
	}
}

const LARGEST = 1_000_000;
const DEEPEST = 200;
/** Limited: the library searches the whole document for each alias. */
const MOST_ALIASES = 1_000;

const REMEDIES: Readonly<Record<string, string>> = {
	BAD_INDENT: 'indent the entries of one mapping or list equally, and close every bracket',
	BAD_SCALAR_START: 'put the value in quotes',
	BLOCK_AS_IMPLICIT_KEY: 'put a value that contains ": " in quotes',
	DUPLICATE_KEY: 'keep one of the two keys',
	MULTILINE_IMPLICIT_KEY: 'a key and its colon belong on one line',
	MULTIPLE_DOCS: 'keep one document: remove what follows the second ---',
	NON_STRING_KEY: 'keys are plain words',
	TAB_AS_INDENT: 'indent with spaces',
	TAG_RESOLVE_FAILED: 'remove the tag; put a value that starts with ! in quotes',
};

/** By message, for a code with many causes. */
const MISSING: readonly (readonly [RegExp, string])[] = [
	[/without - indicator/, 'indent this line as the other items of the list, or begin it with "- "'],
	[/Implicit map keys/, 'write a colon and a space after the key, or indent the line as part of the text above'],
	[/^Missing space after :/, 'write a space after the colon'],
	[/white space/, 'write a space before it'],
	[/^Missing , /, 'write a comma between the items, or close the bracket'],
];

/** Errors that do not confuse the parser. After others, further errors are noise. */
const INDEPENDENT: readonly string[] = ['DUPLICATE_KEY', 'NON_STRING_KEY', 'TAG_RESOLVE_FAILED'];

/**
 * Parses YAML with anchors, aliases and merge keys; keys are strings. `keepsNumbers` keeps numbers that JavaScript
 * would print differently as `WrittenNumber`. Throws UserError with line and column of every syntax error.
 */
export function readYaml(text: string, fileName: string, { keepsNumbers = false, largest = LARGEST } = {}): YamlSource {
	refuseMonsters(text, fileName, largest);
	const lines = new LineCounter();
	const document = parseDocument(text, {
		lineCounter: lines,
		merge: true,
		prettyErrors: false,
		schema: 'core',
		stringKeys: true,
		// The library's check is quadratic in the keys of a mapping.
		uniqueKeys: false,
	});
	const repeated: Fault[] = [];
	let aliases = 0;
	visit(document, {
		Alias() {
			aliases++;
		},
		Map(_key, node) {
			for (const fault of repeatedKeys(node)) repeated.push(fault);
		},
	});
	const errors: Fault[] = [...document.errors, ...repeated].sort((one, other) => one.pos[0] - other.pos[0]);
	const faults = errors.filter(({ code }) => !INDEPENDENT.includes(code)).slice(0, 1);
	const reported = faults.length > 0 ? faults : [...errors, ...document.warnings];
	if (reported.length > 0) {
		const problems = reported.map((fault) => explain(fault, lines));
		throw problemsError('bad-yaml', fileName, problems);
	}
	if (aliases > MOST_ALIASES)
		throw badYaml(fileName, `more than ${MOST_ALIASES} aliases (*name); write some of their values out`);
	const inexact: Problem[] = [];
	visit(document, {
		Scalar(key, node) {
			const { value, source } = node;
			if (key === 'key' || typeof value !== 'number' || source === undefined || String(value) === source) return;
			const written = new WrittenNumber(value, source);
			if (!written.isExact) inexact.push(describeInexact(written, lines.linePos(node.range?.[0] ?? 0).line));
			if (keepsNumbers) node.value = written;
		},
	});
	const value = toPlainData(document, fileName);
	return { value, inexact, lineOf: (path) => Math.max(1, lines.linePos(offsetOf(document, path)).line) };
}

type Fault = Pick<YAMLParseError | YAMLWarning, 'code' | 'message' | 'pos'>;

function repeatedKeys({ items }: YAMLMap): readonly Fault[] {
	const seen = new Set<unknown>();
	return items.flatMap(({ key }) => {
		if (!isScalar(key)) return [];
		if (!seen.has(key.value)) {
			seen.add(key.value);
			return [];
		}
		const start = key.range?.[0] ?? 0;
		return [{ code: 'DUPLICATE_KEY' as const, message: '', pos: [start, start + 1] as [number, number] }];
	});
}

function isDecimal(source: string): boolean {
	return !/^0[ox]/i.test(source);
}

function describeInexact({ value, source }: WrittenNumber, line: number): Problem {
	const remedy = 'put it in quotes, or write the whole body as text (body; under expect: text)';
	return { line, path: [], message: `the number ${source} would become ${value}; ${remedy}` };
}

function explain({ code, message, pos }: Fault, lines: LineCounter): Problem {
	const { line, col } = lines.linePos(pos[0]);
	const what = code === 'DUPLICATE_KEY' ? 'this key is given twice' : firstSentence(message);
	const [, missing = 'close the quote or bracket'] = MISSING.find(([cause]) => cause.test(message)) ?? [];
	const remedy = code === 'MISSING_CHAR' ? missing : (REMEDIES[code] ?? 'put the value in quotes');
	return { line, path: [], message: `column ${col}: ${what}; ${remedy}` };
}

/** Refuses generated text whose nesting would exhaust the parser. */
function refuseMonsters(text: string, fileName: string, largest: number): void {
	if (text.length > largest) {
		const remedy = largest === LARGEST ? 'keep only the config in it' : 'keep only the data that is used';
		throw badYaml(fileName, `the file is larger than ${largest / 1_000_000} MB; ${remedy}`);
	}
	let depth = 0;
	for (const character of text) {
		if (character === '[' || character === '{') depth++;
		else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
		if (depth > DEEPEST) throw badYaml(fileName, `more than ${DEEPEST} brackets are open; close them`);
	}
	const deepestIndent = text.match(/^[ -]{400}/m);
	if (deepestIndent) throw badYaml(fileName, 'a line is indented by 400 columns or more; indent less');
}

function toPlainData(document: Document, fileName: string): unknown {
	try {
		const value: unknown = document.toJS();
		refuseInfinite(value, fileName);
		return value;
	} catch (error) {
		if (isUserError(error)) throw error;
		const what = firstSentence((error as Error).message);
		throw badYaml(fileName, `${what}; an alias (*name) needs an earlier anchor (&name) and may not contain itself`);
	}
}

/** Refuses .nan and .inf, which JSON cannot express, and cycles, on which JSON.stringify throws. */
function refuseInfinite(value: unknown, fileName: string): void {
	JSON.stringify(value, (key, inner) => {
		if (typeof inner !== 'number' || Number.isFinite(inner)) return inner;
		throw badYaml(fileName, `${key}: ${inner} is not allowed; a finite number, or text in quotes`);
	});
}

function offsetOf(document: Document, path: Path): number {
	let node: unknown = document.contents;
	let offset = startOf(node) ?? 0;
	for (const step of path) {
		node = isAlias(node) ? node.resolve(document) : node;
		const pair = isMap(node) ? findPair(node.items, String(step), document) : undefined;
		if (pair) {
			offset = startOf(pair.key) ?? offset;
			node = pair.value;
		} else if (isSeq(node)) {
			node = node.items[Number(step)];
			offset = startOf(node) ?? offset;
		} else break;
	}
	return offset;
}

type Pair = { readonly key: unknown; readonly value: unknown };

function findPair(items: readonly Pair[], key: string, document: Document): Pair | undefined {
	const ownPair = items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
	if (ownPair) return ownPair;
	for (const { value } of items.filter((pair) => isScalar(pair.key) && pair.key.source === '<<')) {
		const sources = isSeq(value) ? value.items : [value];
		for (const source of sources) {
			const merged = isAlias(source) ? source.resolve(document) : source;
			const mergedPair = isMap(merged) ? findPair(merged.items, key, document) : undefined;
			if (mergedPair) return mergedPair;
		}
	}
	return undefined;
}

function startOf(node: unknown): number | undefined {
	return isNode(node) ? node.range?.[0] : undefined;
}

function firstSentence(message: string): string {
	return (message.split(/[\n;]/)[0] ?? message).replace(/^with stringKeys, a/i, 'A').trim();
}

function badYaml(fileName: string, message: string): UserError {
	return problemsError('bad-yaml', fileName, [{ line: 1, path: [], message }]);
}
