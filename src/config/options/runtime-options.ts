/** The options that say what servers run on. None is an input of the action: a workflow has the key of the config. */
import { option, USES } from './option-entry.ts';
import { RUNTIME } from './option-kinds.ts';

export const RUNTIME_OPTIONS = {
	runtime: option(RUNTIME, {
		placeholder: 'runtime',
		uses: { compare: USES.runtime, baseline: USES.runtime, bisect: USES.runtime, check: USES.runtime },
		file: 'runtime',
		of: ({ runtime }) => runtime,
	}),
	baseRuntime: option(RUNTIME, {
		placeholder: 'runtime',
		uses: { compare: USES.baseRuntime, check: USES.baseRuntime },
		of: ({ baseRuntime }) => baseRuntime,
	}),
	headRuntime: option(RUNTIME, {
		placeholder: 'runtime',
		uses: { compare: USES.headRuntime, check: USES.headRuntime },
		of: ({ headRuntime }) => headRuntime,
	}),
};
