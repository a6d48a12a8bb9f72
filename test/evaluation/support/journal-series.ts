import type { Series } from '../../../evaluation/series.ts';
import { syntheticSeries } from './series.ts';

/** Returns the series whose journal is interrupted in tests: long enough lines that a stop may fall into one. */
export function journalSeries(): Series {
	return syntheticSeries({
		id: 'journal',
		servers: ['express', 'koa'],
		scenarios: ['ping', 'param-json'],
		rounds: 400,
	});
}
