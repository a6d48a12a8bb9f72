import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Only contexts that are made after this have the function.
setFlagsFromString('--expose-gc');
const collectGarbage: NodeJS.GCFunction = runInNewContext('gc');

/** Returns memory of garbage to the system, which V8 otherwise keeps. Blocks for about 20 ms. */
export function releaseMemory(): void {
	collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
