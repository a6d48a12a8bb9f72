import { Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { use } from './current.mjs';

/**
 * Starts the application that all Vext servers have in common, with the Vext of the server's own folder on one of its adapters, as
 * its published benchmark has it (`core`) or with what is on by itself (`default`).
 */
export async function start(installed, adapter, caliber = 'core') {
	use(installed, adapter, caliber);
	// Before Vext's own, which waits for open connections.
	process.once('SIGTERM', () => process.exit(0));
	const restore = skipProbe();
	await installed.bootstrap(fileURLToPath(new URL('app', import.meta.url)));
	restore();
}

/**
 * Vext opens its port for a moment, alone, to see whether it is free. Whoever waits for the port would take that for the server, so
 * it is told that the port is free. Returns how to undo that.
 */
function skipProbe() {
	const { listen } = Server.prototype;
	Server.prototype.listen = function (...args) {
		if (!args[0]?.exclusive) return listen.apply(this, args);
		process.nextTick(() => this.emit('listening'));
		return this;
	};
	return () => {
		Server.prototype.listen = listen;
	};
}
