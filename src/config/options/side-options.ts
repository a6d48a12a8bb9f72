import { LANE_WORDS, type LanesWish, MOST_LANES } from '../../types/config.ts';
import { ISOLATION_WISHES, REQUIRED_LEVELS } from '../../types/isolation.ts';
import { option, USES } from './option-entry.ts';
import { DURATION, type Kind, oneOf, wholeNumber } from './option-kinds.ts';

const COUNT = wholeNumber(1, MOST_LANES);

export const LANES: Kind<LanesWish> = {
	text: 'word',
	parse: (text) => LANE_WORDS.find((word) => word === text) ?? COUNT.parse(text),
	form: `${LANE_WORDS.join(', ')} or ${COUNT.form}`,
	words: LANE_WORDS,
	write: String,
};

export const SIDE_OPTIONS = {
	prepareTimeout: option(DURATION, {
		placeholder: 'duration',
		uses: { compare: USES.step, baseline: USES.step, bisect: USES.step, check: USES.step },
		input: {
			name: 'prepare-timeout',
			description:
				'Longest time that one step of preparing a side may take, such as an install or the `prepare` command, e.g. `30m`.',
		},
		file: 'prepare-timeout',
		of: ({ prepareTimeoutSeconds }) => prepareTimeoutSeconds,
	}),
	isolation: option(oneOf(ISOLATION_WISHES), {
		placeholder: 'level',
		uses: { compare: USES.isolation, baseline: USES.isolation, bisect: USES.isolation, check: USES.isolation },
		input: {
			name: 'isolation',
			description:
				'Who the code of base and head runs as: `users` (each side as a user of its own), `namespace` (behind namespaces, as the user that runs benchgate), `none`, or `auto` for the best this machine allows.',
		},
		file: 'isolation',
		of: ({ isolation }) => isolation,
	}),
	isolationRequired: option(oneOf(REQUIRED_LEVELS), {
		placeholder: 'level',
		uses: { compare: USES.required, baseline: USES.required, bisect: USES.required, check: USES.required },
		input: {
			name: 'isolation-required',
			description: 'Fail instead of measuring where less isolation than this is possible: `users` or `namespace`.',
		},
		file: 'isolation-required',
		of: ({ isolationRequired }) => isolationRequired,
	}),
	lanes: option(LANES, {
		placeholder: 'number',
		uses: {
			compare: { help: 'cells measured at once: auto, a number, or smt', otherwise: '1', here: true },
			selftest: {
				help: 'also measure whether that many lanes are worth it: auto, a number, or smt',
				otherwise: 'one lane',
			},
		},
		input: {
			name: 'lanes',
			description:
				'How many cells are measured at the same time, each on two CPU cores of its own: a number, `auto` for as many as the machine has room for, or `smt` for one per core. `benchgate selftest --lanes` shows whether more than one saves time.',
			empty: 'the value in the config, else 1',
		},
		file: 'lanes',
		of: ({ lanes }) => lanes,
	}),
};
