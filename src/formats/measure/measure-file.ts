import { MEASURE_SCHEMA, type MeasureResult } from '../../types/ranking/measure.ts';
import { orderKeys } from '../order-keys.ts';

/** Returns a ranking as JSON, two spaces, keys in the order of its schema, ending in a line feed. */
export function renderMeasureJson(result: MeasureResult): string {
	return `${JSON.stringify(orderKeys(result, MEASURE_SCHEMA, MEASURE_SCHEMA), null, 2)}\n`;
}
