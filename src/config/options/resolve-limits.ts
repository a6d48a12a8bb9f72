import type { Limits } from '../../types/limits.ts';
import type { ConfigFile } from '../file/config-file.ts';
import type { Complain, FlagValues } from '../read-flags.ts';

/** Returns the limits of a request, those alone that are given. Complains about a CPU that servers and load would share. */
export function resolveLimits(values: FlagValues, file: ConfigFile | null, complain: Complain): Limits {
	const { serverCpus, loadCpus, readyTimeout } = values;
	const memoryLimit = values.memoryLimit ?? file?.memoryLimit;
	const shared = loadCpus?.find((cpu) => serverCpus?.includes(cpu));
	if (shared !== undefined) complain('loadCpus', `CPU ${shared} is one of the servers; the load needs CPUs of its own`);
	return {
		...(serverCpus !== undefined && { serverCpus }),
		...(loadCpus !== undefined && { loadCpus }),
		...(memoryLimit !== undefined && { memoryLimit }),
		...(readyTimeout !== undefined && { readyTimeoutSeconds: readyTimeout }),
	};
}
