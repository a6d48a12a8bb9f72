import { option, USES } from '../options/option-entry.ts';
import { PACKAGES } from './package-kind.ts';

/** The option that takes packages of built-in servers from elsewhere. */
export const PACKAGE_OPTION = {
	// No input of the action: a job that needs one names it in the config, with where its files are.
	package: option(PACKAGES, {
		placeholder: 'name=place',
		uses: {
			compare: USES.packages,
			baseline: USES.packages,
			bisect: USES.packages,
			check: USES.packages,
			measure: USES.packages,
			selftest: { ...USES.packages, otherwise: 'as pinned' },
		},
		file: 'packages',
		of: ({ packages }) => packages,
	}),
};
