import { parsePercentage, writePercentage } from '../durations.ts';
import type { Path, Problem } from './problem.ts';
import type { YamlSource } from './read-yaml.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Returns `value` if it is a mapping, else an empty one: rules beyond the schema look at files that may break the schema. */
export function asMapping(value: unknown): Mapping {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : {};
}

/** Returns the items of `value` if it is a list, else none. */
export function asList(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Returns what is wrong with the scenario at `path` although the schema allows it. */
export function checkScenario(source: YamlSource, scenario: Mapping, path: Path): Problem[] {
	const learn = asMapping(scenario.learn);
	const requests: readonly (readonly [Path, Mapping])[] = [
		[[...path, 'request'], asMapping(scenario.request)],
		...asList(scenario.requests).map(
			(one, index) => [[...path, 'requests', index, 'request'], asMapping(asMapping(one).request)] as const,
		),
		[[...path, 'learn', 'request'], asMapping(learn.request)],
		...asList(scenario.checks).map(
			(check, index) => [[...path, 'checks', index, 'request'], asMapping(asMapping(check).request)] as const,
		),
	];
	return [
		...requests.flatMap(([at, request]) => checkRequest(source, request, at)),
		...checkMargins(source, scenario, path),
	];
}

/** Returns a problem when the tolerance of a file or scenario is not below its threshold. */
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
