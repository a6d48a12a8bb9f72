import { fitBaseline } from '../../formats/baseline/baseline-file.ts';
import {
	type Anchor,
	BASELINE_SCHEMA_VERSION,
	type BaselineCommit,
	type BaselinePurpose,
	type BaselineRecord,
} from '../../types/baseline.ts';
import type { Raw } from '../../types/result.ts';
import type { Warning } from '../../types/units.ts';
import { baselineCells, type ReferenceFigures } from './baseline-cells.ts';
import { spreadsIn } from './earlier-spreads.ts';
import { environmentIdOf } from './environment-id.ts';

/** Everything of a record that does not come from rounds. */
export interface RecordContext {
	readonly purpose: BaselinePurpose;
	readonly commit: BaselineCommit;
	readonly anchor: Anchor;
	readonly run: BaselineRecord['run'];
	readonly subjectDigest: string | null;
	readonly reference: ReferenceFigures;
	/** Records of earlier runs, and of this one. */
	readonly earlier: readonly BaselineRecord[];
	readonly accepted: BaselineRecord['accepted'];
	readonly warnings: readonly Warning[];
}

/** Returns the record of what was measured, as a store takes it. */
export function baselineRecord(raw: Raw, context: RecordContext): BaselineRecord {
	const { environment, tool, createdAt, reproduce, harness } = raw.context;
	const { earlier, reference, warnings, ...rest } = context;
	const environmentId = environmentIdOf(environment);
	return fitBaseline({
		schemaVersion: BASELINE_SCHEMA_VERSION,
		kind: 'benchgate-baseline',
		tool,
		createdAt,
		...rest,
		harness: harness?.sha ?? harness?.label ?? null,
		environmentId,
		environment,
		seed: raw.plan.seed,
		ended: raw.ended,
		cells: baselineCells(raw, spreadsIn(earlier, environmentId), reference),
		warnings: [...raw.context.warnings, ...warnings],
		reproduce,
	});
}
