/** The options that say what of the machine servers and load get, and how long a server may take to be ready. */
import { CPUS, SIZE } from './limit-kinds.ts';
import { option } from './option-entry.ts';
import { DURATION } from './option-kinds.ts';

const MEMORY = { help: 'kill a server that uses more memory, e.g. 512MB', otherwise: 'no limit' } as const;
const READY = {
	help: 'how long a server may take to be ready, e.g. 60s',
	otherwise: '30s, or what the config says',
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
