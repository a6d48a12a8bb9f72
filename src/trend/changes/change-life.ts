import type { BaselineCommit } from '../../types/baseline.ts';
import type { ChangePoint, ChangeState } from '../../types/trend.ts';
import type { RowMeasurements } from '../measurements.ts';
import { findProof } from './find-proofs.ts';
import { findRepair, type RepairPlace } from './find-repair.ts';

/**
 * Returns the changes of a row with what was measured about each, and the state that follows. What somebody wants so stays so; what was
 * called repaired stays repaired, because a new step is a new change; else measurements speak louder than notes.
 */
export function liveChanges(
	row: RowMeasurements,
	changes: readonly ChangePoint[],
	commits: readonly BaselineCommit[],
	place: RepairPlace,
): readonly ChangePoint[] {
	return changes.map((change) => {
		const proof = findProof(row, change, commits);
		const repair = findRepair(change, place);
		const known = { ...change, ...(proof && { proof }), ...(repair && { repair }) };
		return { ...known, state: stateOf(known) };
	});
}

function stateOf({ note, proof, repair }: ChangePoint): ChangeState {
	const said = note?.state ?? 'suspected';
	if (said === 'accepted' || said === 'repaired') return said;
	if (repair !== undefined) return 'repaired';
	if (said === 'bisected') return said;
	if (proof?.outcome === 'shown') return 'confirmed';
	return proof?.outcome === 'refuted' ? 'disproved' : said;
}
