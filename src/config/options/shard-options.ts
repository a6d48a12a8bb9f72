/** Options on dividing a comparison among machines. */
import { MOST_SHARDS } from '../../types/shared-names.ts';
import { option } from './option-entry.ts';
import { type Kind, pathOf, wholeNumber } from './option-kinds.ts';

const COUNT = wholeNumber(1, MOST_SHARDS);

/** Null chooses as many machines as are worth it. */
const SHARDS: Kind<number | null> = {
	text: 'word',
	parse: (text) => (text === 'auto' ? null : COUNT.parse(text)),
	form: `auto or ${COUNT.form}`,
	words: ['auto'],
	write: (count) => (count === null ? 'auto' : COUNT.write(count)),
};

const COUNT_HELP = 'how many machines: a number, or auto, as many as are worth it';

export const SHARD_OPTIONS = {
	shards: option(SHARDS, {
		placeholder: 'number',
		uses: {
			plan: { help: COUNT_HELP, default: 'auto' },
			measure: { help: COUNT_HELP, otherwise: 'this one' },
		},
	}),
	costs: option(pathOf('a path'), {
		placeholder: 'file',
		uses: {
			plan: { help: 'raw file of an earlier run, whose times estimate the cost of cells', otherwise: 'estimated' },
		},
	}),
	out: option(pathOf('a path'), {
		placeholder: 'file',
		uses: { plan: { help: 'where to write the plan', default: 'plan.json' } },
	}),
	plan: option(pathOf('a path'), {
		placeholder: 'file',
		uses: {
			compare: {
				help: 'measure one shard of this plan, which has all other options',
				otherwise: 'everything here',
				here: true,
			},
			gather: { help: 'the plan', otherwise: 'the one in the folder' },
		},
	}),
	shard: option(COUNT, {
		placeholder: 'number',
		uses: {
			compare: { help: 'with --plan: which shard, from 1', here: true },
			measure: { help: 'with --shards: which of them to measure, from 1', otherwise: 'all' },
		},
	}),
	attempt: option(wholeNumber(1, 1000), {
		placeholder: 'number',
		uses: { compare: { help: 'with --plan: number of this attempt at the shard', otherwise: '1', here: true } },
	}),
};
