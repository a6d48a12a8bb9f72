import type { CellCoverage, FunctionRun, ScriptCoverage, Unseen } from '../../types/coverage.ts';
import type { ProbedScript } from '../../types/probe.ts';
import type { HeardReports } from './listen-to-probes.ts';

const LONGEST_DETAIL = 200;

/** Returns the coverage of a cell. `answered` counts requests that no server of node:http did. */
export function mergeReports(
	before: HeardReports,
	after: HeardReports,
	{ root, answered }: { readonly root: string; readonly answered: number },
): CellCoverage {
	const reports = after.reports.flatMap((report) => report ?? []);
	const relative = (path: string) => (path.startsWith(root) ? path.slice(root.length) : path);
	const named = (kind: Unseen['kind'], details: readonly string[]): Unseen[] =>
		details.map((detail) => ({ kind, detail: relative(detail).slice(0, LONGEST_DETAIL) }));
	const scripts = after.reports
		.flatMap((report, at) =>
			(report?.scripts ?? []).map((script, index) => mergeScript(before.reports[at]?.scripts[index], script, relative)),
		)
		.filter(({ functions }) => functions.length > 0);
	const strangers = reports.flatMap((report) => [
		...report.foreign,
		...report.scripts.filter(({ isFile }) => !isFile).map(({ path }) => path),
	]);
	const native = reports.flatMap(({ addons, wasm }) => [...addons, ...(wasm > 0 ? ['WebAssembly'] : [])]);
	const requests = reports.reduce((sum, report) => sum + report.requests, 0);
	return {
		requests: requests > 0 ? requests : answered,
		scripts,
		reads: distinct(reports.flatMap((report) => report.reads).map(relative)),
		texts: distinct(reports.flatMap((report) => report.texts)),
		unseen: [
			...named('process', distinct([...before.unseen, ...after.unseen])),
			...named('native', distinct(native)),
			...named('source', distinct(strangers)),
		],
	};
}

function mergeScript(
	before: ProbedScript | undefined,
	{ path, hash, functions }: ProbedScript,
	relative: (path: string) => string,
): ScriptCoverage {
	const merged = new Map<string, FunctionRun>();
	for (const [start, end, name, count] of before?.functions ?? [])
		merged.set(`${start} ${end} ${name}`, [start, end, name, count, 0]);
	for (const [start, end, name, count] of functions) {
		const key = `${start} ${end} ${name}`;
		merged.set(key, [start, end, name, merged.get(key)?.[3] ?? 0, count]);
	}
	return { path: relative(path), hash, functions: [...merged.values()].toSorted(([one], [other]) => one - other) };
}

function distinct(texts: readonly string[]): string[] {
	return [...new Set(texts)];
}
