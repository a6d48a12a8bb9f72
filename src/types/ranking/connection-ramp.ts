import { define, described, type Infer, listOf, NUMBER_OR_NULL, objectOf, ref, TEXT } from '../schema.ts';
import { STEP_FIGURES } from './load-figures.ts';

/** One server measured with growing numbers of connections. */
export type Ramp = Infer<typeof RAMP>;
export const RAMP = define(
	'ramp',
	objectOf({
		server: TEXT,
		/** Without the number of connections. */
		scenario: TEXT,
		/** Ascending by `connections`. */
		steps: listOf(ref(STEP_FIGURES)),
		/** Null if throughput still rises at the last step. */
		saturation: described(NUMBER_OR_NULL, 'connections from which on more bring at most 5 %'),
	}),
);
