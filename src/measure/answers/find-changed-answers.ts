/** Finds sides whose answers changed under load. */
import type { Expectation } from '../../types/config.ts';
import { type Fault, MOST_UNEXPECTED } from '../../types/round.ts';
import { type Fraction, otherSide, SIDES, type Side, type Sides } from '../../types/units.ts';
import type { RequestReport } from '../generator/messages.ts';
import { MAX_BODY } from '../generator/reading/body-keeper.ts';
import { isObject, parseDocument, show, writeJson } from './answer.ts';
import type { AtRest } from './answers-at-rest.ts';
import { ABSENT, matchAnswer } from './match-answer.ts';
import { findMisfit, kindOf } from './shape.ts';

/** Changes on both sides are counted seldom and in clusters, so a side's own must be this many times as frequent. */
const ALIKE = 10;

export interface LoadedRequest {
	/** ` to GET /users (request 2 of 3)`; empty for a single request. */
	readonly to: string;
	readonly status: number | undefined;
	readonly atRest: AtRest;
	readonly seen: Sides<RequestReport>;
}

/** Feeding a compressor differently changes the size by a few bytes; another effort by more. */
const SAME_SIZE: Fraction = 0.1;

/** Fewest answers from which the frequency of a status is judged. */
const LEAST_ANSWERS = 30;

/** Largest share of changed samples that chance explains, and that the side not at fault may have. */
const MOST_UNLIKE: Fraction = 0.5;
const FEW_UNLIKE: Fraction = 0.05;
/** Where all bodies differ, a kept sample stands for up to an eighth of them. */
const MOST_ALIKE: Fraction = 0.25;
const LEAST_SAMPLES = 16;
/** Changes on both sides that are rarer get no remark. */
const LEAST_REMARKED: Fraction = 0.01;

/**
 * Returns a remark if both sides' answers changed under load: neither is at fault. Compares shapes, because clocks and
 * counters change anyway.
 */
export function findAlikeChanges({ to, status, atRest, seen }: LoadedRequest, expect: Expectation): Fault[] {
	const { status: usualStatus, usual, examples } = atRest;
	const remark = (message: string): Fault[] => [{ code: 'changed-on-both', side: null, message }];
	if (usualStatus !== null) {
		const [base, head] = [countOthers(seen.base, usualStatus), countOthers(seen.head, usualStatus)];
		if (Math.min(base.share, head.share) > LEAST_REMARKED) {
			const both = `${percent(base.share)} of the answers of base and ${percent(head.share)} of those of head`;
			return remark(
				`Under load ${both}${to} had another status than before, ${usualStatus}: mostly ${base.most}. If that is wrong, allow only expect: { status: ${usualStatus} }.`,
			);
		}
	}
	const restBodies = examples ?? (usual.base === null || usual.head === null ? [] : [usual.base, usual.head]);
	if (restBodies.length === 0 || atRest.compressed || restBodies.some(({ length }) => length >= MAX_BODY)) return [];
	const [base, head] = [shareUnlike(seen.base, status, restBodies), shareUnlike(seen.head, status, restBodies)];
	if (Math.min(base, head) <= LEAST_REMARKED) return [];
	const sample = [...seen.base.samples, ...seen.head.samples].find(
		(one) => one.status === status && !isLike(restBodies, one.body),
	);
	const line = sample && lineThatRefuses(expect, restBodies, sample.body);
	const remedy = line ? ` If they are wrong, refuse them with expect: ${line}.` : '';
	return remark(
		`Under load ${percent(base)} of the bodies of base and ${percent(head)} of those of head${to} were unlike those before${sample ? `, e.g. ${show(sample.body)}` : ''}.${remedy}`,
	);
}

function shareUnlike({ samples }: RequestReport, status: number | undefined, restBodies: readonly string[]): Fraction {
	const statusSamples = samples.filter((sample) => sample.status === status);
	return shareOther(statusSamples.map(({ body, count }) => ({ same: isLike(restBodies, body), count })));
}

/** Whether a body is no shorter than the known ones and has their keys and kinds or, if not JSON, their length. */
function isLike(restBodies: readonly string[], body: string): boolean {
	if (restBodies.includes(body)) return true;
	const lengths = restBodies.map(({ length }) => length);
	if (body.length < (1 - SAME_SIZE) * Math.min(...lengths)) return false;
	const [document, ...documents] = [body, ...restBodies].map(parseDocument);
	const values = documents.flatMap((each) => (each === null ? [] : [each.value]));
	if (values.length < restBodies.length) return body.length <= (1 + SAME_SIZE) * Math.max(...lengths);
	return document != null && findMisfit(values, [document.value], '$', false) === null;
}

function exampleOf({ samples }: RequestReport, restBodies: readonly string[]): string {
	const other = samples.find(({ body }) => !isLike(restBodies, body));
	return other ? `; e.g. ${show(other.body)}` : '';
}

/** Returns a fault for each change that only one side has. */
export function findChangedAnswers(request: LoadedRequest): Fault[] {
	const bodies = findChangedBodies(request);
	return [
		...findChangedStatuses(request),
		...(bodies.length > 0 ? bodies : findResized(request)),
		...findShrunkBodies(request),
		...findUnlikeBodies(request),
		...findKeptBodies(request),
		...findMissingHeaders(request),
		...findChangedHeaders(request),
	];
}

/**
 * Finds a side that switches between right statuses under load, because one may cost less. Requires so many that by
 * chance the other side had some, and in most windows: a limiter lets them through all at once.
 */
function findChangedStatuses({ to, atRest: { status: usual }, seen }: LoadedRequest): Fault[] {
	if (usual === null) return [];
	const others = { base: countOthers(seen.base, usual), head: countOthers(seen.head, usual) };
	return SIDES.flatMap((side) => {
		const { share, answers, isSteady, most } = others[side];
		const { share: shareThere, answers: answersThere } = others[otherSide(side)];
		const isChance = !isSteady || share * Math.min(answers, answersThere) < LEAST_ANSWERS;
		if (isChance || !isItsOwn(share, shareThere)) return [];
		const message = `${percent(share)} of the answers of ${side}${to} under load had another status than before, ${usual}: mostly ${most}`;
		return [changed(side, message)];
	});
}

function countOthers({ statuses }: RequestReport, usual: number) {
	const windows = statuses.map((counts) => {
		const answers = Object.values(counts).reduce((sum, count) => sum + count, 0);
		return { answers, other: answers - (counts[usual] ?? 0) };
	});
	const sum = (of: 'answers' | 'other') => windows.reduce((total, window) => total + window[of], 0);
	const statusCounts = new Map<string, number>();
	for (const [status, count] of statuses.flatMap((counts) => Object.entries(counts))) {
		if (+status !== usual) statusCounts.set(status, (statusCounts.get(status) ?? 0) + count);
	}
	const [most] = [...statusCounts].sort(([, one], [, two]) => two - one);
	const answers = sum('answers');
	const many = windows.filter(({ answers: all, other }) => other > MOST_UNEXPECTED * all);
	return {
		answers,
		share: answers === 0 ? 0 : sum('other') / answers,
		isSteady: 2 * many.length > windows.length,
		most: most?.[0],
	};
}

function findChangedBodies({ to, status, atRest: { usual, compressed }, seen }: LoadedRequest): Fault[] {
	const shares = { base: shareChanged('base'), head: shareChanged('head') };
	return SIDES.flatMap((side) => {
		const share = shares[side];
		if (!isItsOwn(share, shares[otherSide(side)])) return [];
		const start = usual[side]?.slice(0, MAX_BODY);
		const other = seen[side].samples.find((sample) => sample.status === status && sample.body !== start);
		const shown = other ? `; e.g. ${show(other.body)}` : '';
		const message = `${percent(share)} of the bodies of ${side}${to} under load were not the answer it gave before, ${show(usual[side])}${shown}`;
		return [changed(side, message)];
	});

	/** Null without a usual body. */
	function shareChanged(side: Side): Fraction | null {
		const body = usual[side];
		if (body === null || compressed?.[side] === null) return null;
		// Longer samples are cut off.
		const start = body.slice(0, MAX_BODY);
		const lengths = Object.entries(compressed ? {} : seen[side].lengths);
		const samples = seen[side].samples.filter((sample) => sample.status === status);
		return Math.max(
			shareOther(lengths.map(([length, count]) => ({ same: +length === body.length, count }))),
			shareOther(samples.map((one) => ({ same: one.body === start, count: one.count }))),
		);
	}
}

/** Finds a side whose varying bodies are shorter than at rest. */
function findShrunkBodies({ to, atRest: { examples }, seen }: LoadedRequest): Fault[] {
	if (examples === undefined) return [];
	const least = Math.min(...examples.map(({ length }) => length));
	const shares = { base: shareShort('base'), head: shareShort('head') };
	return SIDES.flatMap((side) => {
		const share = shares[side];
		const answers = Object.values(seen[side].lengths).reduce((sum, count) => sum + count, 0);
		if (!isItsOwn(share, shares[otherSide(side)]) || share * answers < LEAST_ANSWERS) return [];
		const message = `${percent(share)} of the bodies of ${side}${to} under load were shorter than any before, which had at least ${least} characters${exampleOf(seen[side], examples)}`;
		return [changed(side, message)];
	});

	/** Null if not all lengths were counted. */
	function shareShort(side: Side): Fraction | null {
		const lengths = Object.entries(seen[side].lengths);
		const beyond = shareOther(lengths.map(([length, count]) => ({ same: !Number.isNaN(+length), count })));
		if (beyond > MOST_UNEXPECTED) return null;
		return shareOther(lengths.map(([length, count]) => ({ same: +length >= (1 - SAME_SIZE) * least, count })));
	}
}

/** Finds a side whose varying bodies have other keys or kinds. Only samples are kept, so chance is allowed for. */
function findUnlikeBodies({ to, status, atRest: { examples }, seen }: LoadedRequest): Fault[] {
	if (examples === undefined) return [];
	const shares = { base: shareUnlike(seen.base, status, examples), head: shareUnlike(seen.head, status, examples) };
	return SIDES.flatMap((side) => {
		if (shares[side] < MOST_UNLIKE || shares[otherSide(side)] > FEW_UNLIKE) return [];
		const message = `${percent(shares[side])} of the sampled bodies of ${side}${to} under load were unlike all before${exampleOf(seen[side], examples)}`;
		return [changed(side, message)];
	});
}

/** Finds a side that varied its body at rest, and under load keeps one. */
function findKeptBodies({ to, status, atRest: { usual, examples }, seen }: LoadedRequest): Fault[] {
	if (examples === undefined) return [];
	const most = { base: mostFrequent(seen.base, status), head: mostFrequent(seen.head, status) };
	return SIDES.flatMap((side) => {
		const { share, body } = most[side];
		const other = most[otherSide(side)].share;
		if (usual[side] !== null || share === null || other === null) return [];
		if (share < MOST_UNLIKE || other > MOST_ALIKE) return [];
		const message = `${percent(share)} of the sampled bodies of ${side}${to} under load were the same, ${show(body)}, although they differed before`;
		return [changed(side, message)];
	});
}

/** Null if few samples are known. */
function mostFrequent({ samples }: RequestReport, status: number | undefined) {
	const statusSamples = samples.filter((sample) => sample.status === status);
	const sampled = statusSamples.reduce((sum, { count }) => sum + count, 0);
	const [first] = statusSamples.toSorted((one, other) => other.count - one.count);
	if (first === undefined || sampled < LEAST_SAMPLES) return { share: null, body: '' };
	return { share: first.count / sampled, body: first.body };
}

function findResized({ to, atRest: { usual, compressed }, seen }: LoadedRequest): Fault[] {
	if (compressed === undefined) return [];
	const shares = { base: shareResized('base'), head: shareResized('head') };
	return SIDES.flatMap((side) => {
		const share = shares[side];
		if (!isItsOwn(share, shares[otherSide(side)])) return [];
		const usualBytes = compressed[side]?.bytes ?? 0;
		const [size] = Object.keys(seen[side].lengths).filter((length) => !isSameSize(+length, usualBytes));
		const message = `${percent(share)} of the bodies of ${side}${to} under load were compressed to another size than before, e.g. ${size} bytes instead of ${usualBytes}`;
		return [changed(side, message)];
	});

	/** Null if sizes vary by themselves, because some servers add random bytes. */
	function shareResized(side: Side): Fraction | null {
		const bytes = compressed?.[side]?.bytes ?? null;
		if (bytes === null || usual[side] === null) return null;
		const lengths = Object.entries(seen[side].lengths);
		const beyond = shareOther(lengths.map(([length, count]) => ({ same: !Number.isNaN(+length), count })));
		if (beyond > MOST_UNEXPECTED) return null;
		return shareOther(lengths.map(([length, count]) => ({ same: isSameSize(+length, bytes), count })));
	}
}

function isSameSize(length: number, usual: number): boolean {
	return Math.abs(length - usual) <= SAME_SIZE * usual;
}

function findMissingHeaders({ to, atRest: { headers }, seen }: LoadedRequest): Fault[] {
	const shareOf = (side: Side): Fraction => {
		const { answers = 0, bare = 0 } = seen[side].headers ?? {};
		return answers === 0 ? 0 : bare / answers;
	};
	return SIDES.flatMap((side) => {
		const share = shareOf(side);
		if (!isItsOwn(share, shareOf(otherSide(side)))) return [];
		const missing = seen[side].headers?.missing ?? 0;
		const names = headers[side].filter((_, at) => (missing & (1 << at)) !== 0).join(', ');
		const message = `${percent(share)} of the answers of ${side}${to} under load were without a header that they had before: ${show(names)}`;
		return [changed(side, message)];
	});
}

/** Finds a side that no longer computes headers, such as a hash. */
function findChangedHeaders({ to, atRest: { headers, values }, seen }: LoadedRequest): Fault[] {
	const shareOf = (side: Side, name: string): Fraction | null => {
		const { answers = 0, changed: counts = [] } = seen[side].headers ?? {};
		return answers === 0 ? null : (counts[headers[side].indexOf(name)] ?? 0) / answers;
	};
	return SIDES.flatMap((side) =>
		Object.entries(values[side]).flatMap(([name, value]) => {
			const share = shareOf(side, name);
			if (!isItsOwn(share, shareOf(otherSide(side), name))) return [];
			const message = `${percent(share)} of the answers of ${side}${to} under load had another value of the header ${show(name)} than before, ${show(value)}`;
			return [changed(side, message)];
		}),
	);
}

function percent(share: Fraction): string {
	return `${(100 * share).toFixed(2)} %`;
}

function changed(side: Side, message: string): Fault {
	return { code: 'changed-under-load', side, message };
}

/**
 * Whether a side itself caused its changed share: changes with time affect the other about as often. A few there excuse
 * nothing. Null if not measured.
 */
export function isItsOwn(share: Fraction | null, other: Fraction | null): share is Fraction {
	return share !== null && other !== null && share > MOST_UNEXPECTED && share > ALIKE * other;
}

export function shareOther(counts: readonly { readonly same: boolean; readonly count: number }[]): Fraction {
	const sum = (list: typeof counts) => list.reduce((total, { count }) => total + count, 0);
	const all = sum(counts);
	return all === 0 ? 0 : sum(counts.filter(({ same }) => !same)) / all;
}

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

/** The smallest document that only `right` matches; null if kinds and keys cannot express it. */
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
