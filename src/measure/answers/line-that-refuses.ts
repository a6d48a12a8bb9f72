/** Suggests an `expect` line that rejects a wrong answer. */
import type { Expectation } from '../../types/config.ts';
import { isObject, parseDocument, writeJson } from './answer.ts';
import { ABSENT, matchAnswer } from './match-answer.ts';
import { kindOf } from './shape.ts';

/** Longest suggested value. */
const MOST_CHARACTERS = 40;
const MOST_ITEMS = 8;

/**
 * Returns one line of YAML for `expect` that matches all of `right` but not `wrong`, such as `json: { data: { user:
 * <any> } }`, instead of the body expectations; null if no short line does.
 */
export function lineThatRefuses(expect: Expectation, right: readonly string[], wrong: string): string | null {
	const [usual = ''] = right;
	const [one, other] = [parseDocument(usual), parseDocument(wrong)];
	const json = one && other ? refuse(one.value, other.value) : null;
	const more: Pick<Expectation, 'json' | 'text' | 'bodyBytes'>[] = [
		...(json === null ? [] : [{ json: merge(expect.json, json.value) }]),
		...(one && other === null ? [{ json: isObject(one.value) ? {} : withoutBig(one.value) }] : []),
		...(one ? [] : [{ text: usual }, { bodyBytes: Buffer.byteLength(usual) }]),
	];
	const isRefusing = (line: (typeof more)[number]) => {
		const match = (body: string) =>
			matchAnswer({ status: [200], ...line }, { status: 200, headers: {}, body, bytes: Buffer.byteLength(body) });
		return right.every((body) => match(body) === null) && match(wrong) !== null;
	};
	const isShort = ({ text = '' }: (typeof more)[number]) => text.length <= MOST_CHARACTERS && !text.includes('\n');
	const line = more.find((each) => isShort(each) && isRefusing(each));
	return line === undefined ? null : writeYaml(line).slice(2, -2);
}

/** Returns the smallest document that only `right` matches; null if kinds and keys cannot express it. */
function refuse(right: unknown, wrong: unknown): { readonly value: unknown } | null {
	if (isObject(right) && isObject(wrong)) {
		const lacking = Object.keys(right).find((key) => !Object.hasOwn(wrong, key));
		if (lacking !== undefined) return { value: { [lacking]: '<any>' } };
		for (const key of Object.keys(right)) {
			const refusal = refuse(right[key], wrong[key]);
			if (refusal !== null) return { value: { [key]: refusal.value } };
		}
		const more = Object.keys(wrong).find((key) => !Object.hasOwn(right, key));
		return more === undefined ? null : { value: { [more]: ABSENT } };
	}
	if (Array.isArray(right)) {
		const isOther = !Array.isArray(wrong) || wrong.length !== right.length;
		return isOther && right.length <= MOST_ITEMS ? { value: right.map(() => '<any>') } : null;
	}
	if (isObject(right)) {
		const [first] = Object.keys(right);
		return { value: first === undefined ? {} : { [first]: '<any>' } };
	}
	if (kindOf(right) === kindOf(wrong) && right !== null) return null;
	if (typeof right === 'string') return { value: '<string>' };
	return { value: kindOf(right) === 'number' ? '<number>' : right };
}

/** Replaces integers that are too big for the config. */
function withoutBig(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? '<number>' : each)));
}

/** Lists and plain values of `more` replace those of `document`. */
function merge(document: unknown, more: unknown): unknown {
	if (!isObject(document) || !isObject(more)) return more;
	return {
		...document,
		...Object.fromEntries(Object.entries(more).map(([key, value]) => [key, merge(document[key], value)])),
	};
}

function writeYaml(value: unknown): string {
	if (typeof value === 'string') return /^<[a-z]+>$/.test(value) ? value : JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(writeYaml).join(', ')}]`;
	if (!isObject(value)) return writeJson(value);
	const entries = Object.entries(value).map(([key, each]) => `${writeKey(key)}: ${writeYaml(each)}`);
	return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function writeKey(key: string): string {
	const isPlain = /^[A-Za-z_][\w-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key);
	return isPlain ? key : JSON.stringify(key);
}
