import {
	COUNT,
	define,
	described,
	FLAG,
	type Infer,
	listOf,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	orNull,
	ref,
	TEXT,
} from '../schema.ts';
import { STEP_FIGURES } from './load-figures.ts';

export type ScalingStep = Infer<typeof SCALING_STEP>;
const SCALING_STEP = objectOf({
	workers: COUNT,
	/** Requests per second alone. */
	throughput: NUMBER,
	/** Also null without a one-worker step. */
	speedUp: described(NUMBER_OR_NULL, 'times one worker; null where it means nothing'),
	efficiency: described(NUMBER_OR_NULL, 'speed-up over the number of workers'),
	oversubscribed: described(FLAG, 'more workers than CPUs for them'),
	/** If set, the figure is a lower limit. */
	generatorBound: described(FLAG, 'the load generator was at its limit'),
	/** CPU time / wall time of all workers, and of the least and most busy one; null when unknown. */
	cpus: orNull(objectOf({ sum: NUMBER, least: NUMBER, most: NUMBER })),
	/** Resident bytes: of all workers, and of the largest one. Null if unknown. */
	memory: orNull(objectOf({ sum: NUMBER, most: NUMBER })),
});

/** One server measured with growing numbers of worker processes. */
export type Scaling = Infer<typeof SCALING>;
export const SCALING = define(
	'scaling',
	objectOf({
		server: TEXT,
		/** Ascending by `workers`. */
		steps: listOf(SCALING_STEP),
	}),
);

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
