import { renderBaselineCsv } from '../../formats/baseline/baseline-csv.ts';
import { renderBaseline } from '../../formats/baseline/baseline-file.ts';
import { exportBencherMetrics } from '../../formats/baseline/bencher-metrics.ts';
import { exportDataJs } from '../../formats/baseline/benchmark-action.ts';
import { writeOutput } from '../../output/write-files.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { findCommit } from './list-baselines.ts';
import { readStore, type StoreFlags } from './local-store.ts';
import { newestFirst } from './render-baselines.ts';

type Records = readonly BaselineRecord[];

const RENDERERS = {
	csv: renderBaselineCsv,
	ndjson: (records: Records) => records.map(renderBaseline).join(''),
	'data.js': exportDataJs,
	bencher: (records: Records) => exportBencherMetrics(newestLevel(records)),
} as const;

const EXPORT_FORMATS = Object.keys(RENDERERS) as readonly (keyof typeof RENDERERS)[];

export interface ExportFlags extends StoreFlags {
	readonly format: string;
	readonly commit?: string;
	readonly output?: string;
}

export async function runBaselineExport(flags: ExportFlags): Promise<number> {
	const format = EXPORT_FORMATS.find((name) => name === flags.format);
	if (format === undefined) {
		throw new UserError({
			code: 'bad-format',
			where: '--format',
			message: `"${flags.format}" is not a format to export in`,
			remedy: `use one of ${EXPORT_FORMATS.join(', ')}`,
		});
	}
	const { records } = await readStore(flags);
	if (records.length === 0 && format !== 'bencher')
		process.stderr.write(
			`There are no baselines in ${flags.store}, so nothing is exported. Measure one: benchgate baseline\n`,
		);
	const chosen = flags.commit === undefined ? records : findCommit(records, flags.commit);
	const content = RENDERERS[format](newestFirst(chosen).toReversed());
	if (flags.output === undefined) process.stdout.write(content);
	else await writeOutput({ flag: '--output', path: flags.output, content });
	return EXIT.passed;
}

/** The format has space for only one run. */
function newestLevel(records: Records): BaselineRecord {
	const [newest] = newestFirst(records).filter(({ purpose }) => purpose === 'level');
	if (newest) return newest;
	throw new UserError({
		code: 'no-baselines',
		message: 'there are no baselines to export',
		remedy: 'measure and store one: benchgate baseline --save',
	});
}
