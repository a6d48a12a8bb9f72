import { parsePercentage, writePercentage } from '../durations.ts';
import { STATUS_PATTERN } from './config-schema-parts.ts';
import type { Path, Problem } from './problem.ts';
import type { YamlSource } from './read-yaml.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Returns an empty mapping for other values: files may violate the schema. */
export function asMapping(value: unknown): Mapping {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : {};
}

/** Returns an empty list for other values. */
export function asList(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Returns problems that the schema does not find. */
export function checkScenario(source: YamlSource, scenario: Mapping, path: Path): Problem[] {
	const holders: readonly (readonly [Path, Mapping])[] = [
		[path, scenario],
		...askedIn(scenario.requests, [...path, 'requests']),
		[[...path, 'learn'], asMapping(scenario.learn)],
		...askedIn(scenario.checks, [...path, 'checks']),
	];
	return [
		...holders.flatMap(([at, { request }]) => checkRequest(source, asMapping(request), [...at, 'request'])),
		...holders.flatMap(([at, { expect }]) => checkExpectation(source, asMapping(expect), [...at, 'expect'])),
		...checkLearn(source, scenario.learn, [...path, 'learn']),
		...checkMargins(source, scenario, path),
	];
}

function checkLearn(source: YamlSource, learn: unknown, path: Path): Problem[] {
	const isGiven = ['header', 'cookie', 'json'].some((key) => Object.hasOwn(asMapping(learn), key));
	if (learn === undefined || isGiven) return [];
	const message = 'it has nothing to learn; add header, cookie or json, e.g. json: $.accessToken';
	return [{ line: source.lineOf(path), path, message }];
}

function askedIn(list: unknown, path: Path): readonly (readonly [Path, Mapping])[] {
	return asList(list).map((one, index) => [[...path, index], asMapping(one)] as const);
}

/** The schema refuses other values. */
const STATUS = new RegExp(STATUS_PATTERN);

/** Refuses headers of a status that no right answer has: they would never be checked. */
function checkExpectation(source: YamlSource, { status, headersOf }: Mapping, path: Path): Problem[] {
	const statuses = (Array.isArray(status) ? status : [status]).map(String);
	const unknown = Object.keys(asMapping(headersOf)).filter((one) => STATUS.test(one) && !statuses.includes(one));
	return unknown.map((one) => {
		const at = [...path, 'headersOf', one];
		const message = `no right answer has this status; status is ${statuses.join(' or ')}`;
		return { line: source.lineOf(at), path: at, message };
	});
}

export function checkMargins(source: YamlSource, margins: Mapping, path: Path): Problem[] {
	const [threshold, tolerance] = [margins.threshold, margins.tolerance].map((text) =>
		typeof text === 'string' ? parsePercentage(text) : undefined,
	);
	if (threshold === undefined || tolerance === undefined || tolerance < threshold) return [];
	const at = [...path, 'tolerance'];
	const message = `${writePercentage(tolerance)} is not below the threshold of ${writePercentage(threshold)}; leave it out for half the threshold`;
	return [{ line: source.lineOf(at), path: at, message }];
}

function checkRequest(source: YamlSource, request: Mapping, path: Path): Problem[] {
	const problems: Problem[] = [];
	const body = ['json', 'form', 'body'].find((key) => request[key] !== undefined);
	if (body !== undefined && request.method === undefined) {
		const message = `a request with a body needs a method; add one, e.g. method: POST`;
		problems.push({ line: source.lineOf([...path, body]), path, message });
	}
	const seen = new Set<string>();
	for (const key of Object.keys(asMapping(request.headers))) {
		if (seen.has(key.toLowerCase())) {
			const at = [...path, 'headers', key];
			problems.push({ line: source.lineOf(at), path: at, message: 'this header is given twice; keep one' });
		}
		seen.add(key.toLowerCase());
	}
	return problems;
}
