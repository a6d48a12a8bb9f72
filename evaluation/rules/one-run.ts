import type { Fraction } from '../../src/types/units.ts';
import { type IsSlower, onePairRule } from './one-pair.ts';
import { dropOf, rateOf } from './rule.ts';

/** A usual limit for two numbers of unknown noise. */
const DROP: Fraction = 0.05;

/** Whether head answers more than 5 % fewer requests per second. */
export const dropsClearly: IsSlower = (base, head) => dropOf(rateOf(base), rateOf(head)) > DROP;

/**
 * One run of each side, red when head answers more than 5 % fewer requests per second. The referenced workflow shows
 * the two numbers to a reviewer; the limit of 5 % stands for the reviewer.
 */
export const oneRun = onePairRule(
	{
		rule: 'one-run',
		title: 'One run of each side, more than 5 % slower',
		reference: 'https://github.com/fastify/fastify/blob/main/.github/workflows/benchmark.yml',
	},
	dropsClearly,
);
