/** Injects into the servers of both sides. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TOOL_ROOT } from '../process/entries.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../types/prepared.ts';
import type { Sides } from '../types/units.ts';
import { encodeInjections, INJECTION_VARIABLE, type Injection, withoutEffect } from './injection.ts';

/**
 * Always the built file: a process that strips TypeScript types is by chance 20 % slower for life (docs/measuring.md).
 */
const PRELOAD = join(TOOL_ROOT, 'dist', 'inject.mjs');

/**
 * Puts `injection` into head's servers, and the same without effect into base's, for equal commands. Throws an Error
 * for a server that is not a Node program.
 */
export function injectHead(prepared: Prepared, injection: Injection): Prepared {
	return injectSides(prepared, { base: withoutEffect(injection), head: injection });
}

/** Throws as `injectHead`. */
export function injectSides(prepared: Prepared, injections: Readonly<Sides<Injection>>): Prepared {
	const values = encodeInjections(injections);
	const { base, head } = prepared.sides;
	return { ...prepared, sides: { base: injectSide(base, values.base), head: injectSide(head, values.head) } };
}

function injectSide(side: PreparedSide, value: string): PreparedSide {
	const servers = Object.entries(side.servers).map(([name, server]) => [name, injectServer(server, value)]);
	return { ...side, servers: Object.fromEntries(servers) };
}

function injectServer(server: PreparedServer, value: string): PreparedServer {
	if (!('argv' in server.run)) throw new Error(`${server.name} is a shell command: only Node programs can be injected`);
	const [node = '', ...words] = server.run.argv;
	return {
		...server,
		run: { argv: [node, '--import', pathToFileURL(PRELOAD).href, ...words] },
		env: { ...server.env, [INJECTION_VARIABLE]: value },
	};
}
