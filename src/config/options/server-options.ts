import { option, USES } from './option-entry.ts';
import { CPUS, DURATION, PACKAGES, RUNTIME, SIZE } from './option-kinds.ts';

const MEMORY = { help: 'kill a server that uses more memory, e.g. 512MB', otherwise: 'no limit' } as const;

const READY = {
	help: 'how long a server may take to be ready, e.g. 60s',
	otherwise: '30s, or the value in the config',
} as const;

const SERVER_CPUS = { help: 'CPUs that the servers run on: 0, 2,3 or 0-3', otherwise: 'the first' } as const;

const LOAD_CPUS = { help: 'CPUs that the load generator runs on', otherwise: 'the first of another core' } as const;

export const LIMIT_OPTIONS = {
	serverCpus: option(CPUS, {
		placeholder: 'numbers',
		uses: { compare: { ...SERVER_CPUS, here: true }, measure: SERVER_CPUS, check: SERVER_CPUS },
		of: ({ serverCpus }) => serverCpus,
	}),
	loadCpus: option(CPUS, {
		placeholder: 'numbers',
		uses: { compare: { ...LOAD_CPUS, here: true }, measure: LOAD_CPUS, check: LOAD_CPUS },
		of: ({ loadCpus }) => loadCpus,
	}),
	memoryLimit: option(SIZE, {
		placeholder: 'size',
		uses: { compare: MEMORY, measure: MEMORY },
		file: 'memory-limit',
		of: ({ memoryLimit }) => memoryLimit,
	}),
	readyTimeout: option(DURATION, {
		placeholder: 'duration',
		uses: { compare: { ...READY, here: true }, measure: READY },
		of: ({ readyTimeoutSeconds }) => readyTimeoutSeconds,
	}),
};

export const PACKAGE_OPTION = {
	// Not an input: the config names the package with its location.
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

export const RUNTIME_OPTIONS = {
	runtime: option(RUNTIME, {
		placeholder: 'runtime',
		uses: {
			compare: USES.runtime,
			baseline: USES.runtime,
			bisect: USES.runtime,
			check: USES.runtime,
			// A list, read by `resolveRanking`.
			measure: {
				help: 'what servers run on, separated by commas: node@22,node@24,bun; each is ranked on each',
				otherwise: 'that of the config, else the node on PATH',
			},
		},
		input: {
			name: 'runtime',
			description:
				'What the servers run on, e.g. `node@22`, `node@22.12.0`, `bun` or `deno@2`. It is installed from npm when it is first needed.',
			empty: 'the value in the config, else the Node at hand (`node`)',
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
