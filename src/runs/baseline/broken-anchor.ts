import { failureKind } from '../../judge/consequence.ts';
import type { Anchor, BaselineRecord } from '../../types/baseline.ts';
import { EXIT, isUserError } from '../../types/errors.ts';
import { SIDES, type Warning } from '../../types/units.ts';

/** Returns whether an error, or a record without any figure, is the fault of the anchor alone: it no longer builds, or no longer runs. */
export function isAnchorsFault(what: unknown): boolean {
	if (isRecord(what)) return what.cells.length > 0 && what.cells.every(isBaseBroken);
	if (!isUserError(what)) return false;
	const { code, where = '', exitCode } = what;
	const side = SIDES.find((name) => where.startsWith(`${name} (`)) ?? null;
	return failureKind({ code, side, usage: exitCode === EXIT.usage }) === 'base';
}

/** Returns the warning that another anchor is taken. `reason`: the first sentence of what went wrong. */
export function anchorBroke(anchor: Anchor, next: Anchor, reason: string | null): Warning {
	const why = reason === null ? '' : ` (${reason})`;
	const message = `The anchor ${anchor.label} can no longer be measured${why}. ${next.label} is the anchor from now on.`;
	return { code: 'anchor-broken', message };
}

function isRecord(what: unknown): what is BaselineRecord {
	return typeof what === 'object' && what !== null && 'kind' in what && what.kind === 'benchgate-baseline';
}

function isBaseBroken({ theta, verdict, warnings }: BaselineRecord['cells'][number]): boolean {
	if (theta !== null || verdict !== 'invalid') return false;
	return warnings.some(({ side }) => side === 'base') && !warnings.some(({ side }) => side === 'head');
}
