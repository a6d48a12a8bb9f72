/** Loaded into a server with `--import`: injects what the variable says. An injection that cannot be read ends the process. */
import { createEffect } from './effects.ts';
import { hookRequests } from './hook.ts';
import { INJECTION_VARIABLE, parseInjection } from './injection.ts';

const text = process.env[INJECTION_VARIABLE];
if (text !== undefined) {
	try {
		hookRequests(createEffect(parseInjection(text)));
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n`);
		process.exit(2);
	}
}
