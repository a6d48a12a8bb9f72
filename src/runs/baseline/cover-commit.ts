/** Coverage of a commit of main, from which pull requests derive which rows they affect. */
import { plainFolder } from '../../config/file/check-harness.ts';
import { packCoverage } from '../../formats/baseline/kept-coverage.ts';
import { MODULES, packageOf } from '../../impact/exercised.ts';
import { withSpare } from '../../plan/hold-spare.ts';
import type { KeptCoverage } from '../../types/baseline.ts';
import type { Config } from '../../types/config.ts';
import type { CellCoverage } from '../../types/coverage.ts';
import type { Prepared } from '../../types/prepared.ts';
import { coverCells } from '../cover-cells.ts';
import { coverageKey, derivableCells } from '../derive-impact.ts';
import type { IsolatedPair } from '../verify-pair.ts';

/** Whether pull requests could use coverage of some row. */
export function mayCover(config: Config): boolean {
	return config.skipUnaffected !== false && derivableCells(config).length > 0;
}

/** Covers head's cells. Returns null where there is nothing to keep. Throws the abort reason. */
export async function coverCommit(
	options: IsolatedPair,
	prepared: Prepared,
	tell: (note: string) => void,
): Promise<KeptCoverage | null> {
	const config = withSpare(options.config);
	const { info, servers } = prepared.sides.head;
	const cells = derivableCells(config).filter(({ server }) => servers[server] !== undefined);
	if (info.subject === undefined || cells.length === 0) return null;
	const { name } = info.subject;
	const coverage = await coverCells({ ...options, config }, prepared, cells, (seen) => new Set(seen.keys()), 'head');
	const kept = cells.flatMap((cell) => {
		const one = coverage.get(cell.id);
		return one === undefined ? [] : [[coverageKey(config, cell), ofSubject(one, name)] as const];
	});
	const packed = packCoverage(Object.fromEntries(kept));
	if (packed === null) tell(`Which code of ${name} the rows run takes too much room, and is not kept.`);
	return packed === null ? null : { subject: name, folder: plainFolder(config.subject), packed };
}

/** Returns coverage of the installed package `name` alone, with paths from its last `node_modules/` on. */
function ofSubject(coverage: CellCoverage, name: string): CellCoverage {
	const isOwn = (path: string) => packageOf(path) === name;
	const shorten = (path: string) => path.slice(path.lastIndexOf(MODULES));
	return {
		...coverage,
		scripts: coverage.scripts
			.filter(({ path }) => isOwn(path))
			.map((script) => ({ ...script, path: shorten(script.path) })),
		reads: coverage.reads.filter(isOwn).map(shorten),
		unseen: coverage.scripts.length > 0 ? coverage.unseen : [...coverage.unseen, { kind: 'failed', detail: '' }],
	};
}
