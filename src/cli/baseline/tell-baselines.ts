/** Adds what the baselines of the main branch say to the raw data of a comparison. */
import { withBaselines } from '../../judge/drift/with-baselines.ts';
import { readMainRows } from '../../runs/baseline/read-main-rows.ts';
import type { Config } from '../../types/config.ts';
import type { Raw } from '../../types/result.ts';
import type { Janitor } from '../../types/run-services.ts';
import { openLocalStore } from './open-local-store.ts';

/** Longest wait for a remote: the comparison is done, and can be reported without its baselines. */
const PATIENCE_MS = 30_000;

/**
 * Returns raw data with what the baselines of the main branch say, where both sides are of the repository around. Nothing is added for a
 * store that does not exist, and a warning for one that cannot be read.
 */
export async function tellBaselines(
	raw: Raw,
	{ cwd, store, gate }: { readonly cwd: string; readonly store: string; readonly gate: Config['gate'] },
	{ janitor, signal }: { readonly janitor: Pick<Janitor, 'guardDirectory'>; readonly signal: AbortSignal },
): Promise<Raw> {
	const { base, head } = raw.context;
	if (raw.ended === 'interrupted' || base.kind !== 'git' || !['git', 'dir'].includes(head.kind)) return raw;
	const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
	const open = () => openLocalStore({ cwd, store, janitor, signal: patience });
	const { rows, warnings } = await readMainRows(open, signal);
	const told = withBaselines(raw, rows, gate);
	return { ...told, context: { ...told.context, warnings: [...told.context.warnings, ...warnings] } };
}
