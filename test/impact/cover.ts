/** Runs scripts of an invented side in this process, with V8's precise coverage. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findImpact } from '../../src/impact/find-impact.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import type { Impact, ImpactReason } from '../../src/types/impact.ts';

export type Files = Readonly<Record<string, string>>;
type Run = (loaded: unknown) => unknown;

export const REQUESTS = 4;

/** Loads `entry`, then calls `run` once for each request. */
export async function cover(files: Files, entry: string, run: Run): Promise<CellCoverage> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'impact-')));
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.startPreciseCoverage', {
			callCount: true,
			detailed: false,
			allowTriggeredUpdates: false,
		});
		const path = join(folder, entry);
		const loaded: unknown = entry.endsWith('.mjs') ? await import(pathToFileURL(path).href) : createRequire(path)(path);
		const before = await take(session);
		for (let request = 0; request < REQUESTS; request += 1) await run(loaded);
		const during = await take(session);
		return coverageOf(files, pathToFileURL(`${folder}/`).href, before, during);
	} finally {
		await session.post('Profiler.stopPreciseCoverage');
		session.disconnect();
		rmSync(folder, { recursive: true });
	}
}

async function take(session: Session): Promise<readonly Profiler.ScriptCoverage[]> {
	return (await session.post('Profiler.takePreciseCoverage')).result;
}

function coverageOf(
	files: Files,
	folder: string,
	before: readonly Profiler.ScriptCoverage[],
	during: readonly Profiler.ScriptCoverage[],
): CellCoverage {
	const inside = (scripts: readonly Profiler.ScriptCoverage[], loading: boolean) =>
		scripts
			.filter(({ url }) => url.startsWith(folder))
			.toSorted((a, b) => Number(a.scriptId) - Number(b.scriptId))
			.map(({ url, functions }) => {
				const path = url.slice(folder.length);
				const runs = functions.flatMap(({ functionName, ranges: [range] }) =>
					range && range.count > 0
						? [
								[
									...([range.startOffset, range.endOffset, functionName] as const),
									...(loading ? ([range.count, 0] as const) : ([0, range.count] as const)),
								] as const,
							]
						: [],
				);
				const hash = createHash('sha256').update(files[path] ?? '');
				return { path, hash: hash.digest('hex'), functions: runs };
			});
	return {
		requests: REQUESTS,
		scripts: merge([...inside(before, true), ...inside(during, false)]),
		reads: [],
		texts: [],
		unseen: [],
	};
}

/** One entry per script, as one process reports it. */
function merge(scripts: CellCoverage['scripts']): CellCoverage['scripts'] {
	return [...Map.groupBy(scripts, ({ path }) => path).values()].flatMap(([first, ...others]) =>
		first ? [{ ...first, functions: [first, ...others].flatMap(({ functions }) => functions) }] : [],
	);
}

export function impactOf(base: Files, head: Files, coverage: CellCoverage): Impact {
	const tree = (files: Files) => new Map(Object.entries(files));
	return findImpact({ base: tree(base), head: tree(head), cells: new Map([['cell', coverage]]) });
}

/** Returns why the only cell is affected; null if it is not. */
export function reasonOf(base: Files, head: Files, coverage: CellCoverage): ImpactReason | null {
	const reason = impactOf(base, head, coverage).cells.get('cell');
	if (reason === undefined) throw new Error('no verdict');
	return reason;
}
