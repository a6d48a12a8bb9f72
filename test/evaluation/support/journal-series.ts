import type { Series } from '../../../evaluation/series.ts';
import { syntheticSeries } from './series.ts';

/** Returns the series whose journal is interrupted in tests: its lines are long enough for a stop within one. */
export function journalSeries(): Series {
	return syntheticSeries({
		id: 'journal',
		servers: ['express', 'koa'],
		scenarios: ['ping', 'param-json'],
		rounds: 400,
	});
}
