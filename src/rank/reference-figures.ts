import type { ReferenceFigures } from '../judge/baseline/baseline-record.ts';
import { soloFiguresOf } from '../stats/absolute.ts';
import type { Round } from '../types/round.ts';
import { REFERENCE_SERVER } from '../types/shared-names.ts';
import { cellStates } from './cell-state.ts';
import { shareOf } from './ratios.ts';
import { samplesOf } from './turn-sample.ts';

/**
 * Returns a baseline's figures beside the reference server (base), by cell: absolute figures of both, and the share of
 * requests per second as in a ranking. No share after one round or with the generator at its limit; no figures if a
 * side broke.
 */
export function referenceFigures(rounds: readonly Round[]): ReferenceFigures {
	const samples = rounds.flatMap((round) => samplesOf(round, () => REFERENCE_SERVER));
	const turns = Map.groupBy(
		rounds.flatMap(({ cells }) => cells),
		({ cell }) => cell,
	);
	const states = [...cellStates(samples, { scenarios: [], design: 'alternating' }).values()];
	return new Map(
		states.flatMap(({ id, fault, judgedBy, share, warnings, rounds: measured }) => {
			const cellTurns = turns.get(id) ?? [];
			const [solo, reference] = [soloFiguresOf(cellTurns, 'head'), soloFiguresOf(cellTurns, 'base')];
			if (fault !== null || solo === null || reference === null) return [];
			const shareFigures = share !== null && judgedBy === 'throughput' ? { ...shareOf(share), rounds: measured } : null;
			const notes = shareFigures === null ? [] : warnings.filter(({ code }) => code === 'not-idle');
			return [[id, { solo, reference, share: shareFigures, warnings: notes }] as const];
		}),
	);
}
