/** The options that say what servers run on. */
import { option, USES } from './option-entry.ts';
import { RUNTIME } from './option-kinds.ts';

export const RUNTIME_OPTIONS = {
	runtime: option(RUNTIME, {
		placeholder: 'runtime',
		uses: {
			compare: USES.runtime,
			baseline: USES.runtime,
			bisect: USES.runtime,
			check: USES.runtime,
			// Several, read by `resolveMeasure`.
			measure: {
				help: 'what servers run on, separated by commas: node@22,node@24,bun; each is ranked on each',
				otherwise: 'that of the config, else the node on PATH',
			},
		},
		input: {
			name: 'runtime',
			description:
				'What the servers run on, e.g. `node@22`, `node@22.12.0`, `bun` or `deno@2`. It is installed from npm when it is first needed.',
			empty: 'what the config says, else the Node at hand (`node`)',
		},
		file: 'runtime',
		of: ({ runtime }) => runtime,
	}),
	baseRuntime: option(RUNTIME, {
		placeholder: 'runtime',
		uses: { compare: USES.baseRuntime, check: USES.baseRuntime },
		input: {
			name: 'base-runtime',
			description: 'What the servers of base alone run on, in the same forms as `runtime`.',
			empty: 'as `runtime`',
		},
		of: ({ baseRuntime }) => baseRuntime,
	}),
	headRuntime: option(RUNTIME, {
		placeholder: 'runtime',
		uses: { compare: USES.headRuntime, check: USES.headRuntime },
		input: {
			name: 'head-runtime',
			description: 'What the servers of head alone run on, in the same forms as `runtime`.',
			empty: 'as `runtime`',
		},
		of: ({ headRuntime }) => headRuntime,
	}),
};
