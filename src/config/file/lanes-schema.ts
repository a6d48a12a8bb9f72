import { LANE_WORDS, MOST_LANES } from '../../types/lanes.ts';
import { choice, integer, type JsonSchema, nameOrMapping } from './config-schema-parts.ts';

const form = `${LANE_WORDS.join(', ')} or a whole number from 1 to ${MOST_LANES}`;
const description = 'How many cells are measured at the same time, each on two CPU cores of its own.';

/** Schema of `lanes`. */
export const lanes: JsonSchema = {
	...nameOrMapping(
		{ ...choice('As many as there is room for, or one a core.', LANE_WORDS), errorMessage: form },
		{ ...integer('So many.', 1, MOST_LANES), errorMessage: form },
	),
	description,
	errorMessage: form,
	examples: ['auto', 2],
};
