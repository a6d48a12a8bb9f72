/** The parts of the table of options that say how sides are built, and who their code runs as. */
import { ISOLATION_WISHES, REQUIRED_LEVELS } from '../../types/isolation.ts';
import { option, USES } from './option-entry.ts';
import { DURATION, oneOf } from './option-kinds.ts';

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
				'Who the code of base and head runs as: `users` (each side as a user of its own), `namespace` (behind namespaces, as our user), `none`, or `auto`, the best this machine allows.',
		},
		file: 'isolation',
		of: ({ isolation }) => isolation,
	}),
	isolationRequired: option(oneOf(REQUIRED_LEVELS), {
		placeholder: 'level',
		uses: { compare: USES.required, baseline: USES.required, bisect: USES.required, check: USES.required },
		input: {
			name: 'isolation-required',
			description: 'Fail instead of measuring where less isolation than this can be had: `users` or `namespace`.',
		},
		file: 'isolation-required',
		of: ({ isolationRequired }) => isolationRequired,
	}),
};
