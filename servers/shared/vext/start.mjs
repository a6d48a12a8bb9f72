import { Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { use } from './current.mjs';

/**
 * Starts the common application of all Vext servers, with the Vext of the server's own folder on one of its adapters,
 * with the settings of its published benchmark (`core`) or its defaults (`default`).
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
 * Vext first opens and closes its port to test whether it is free. A client that waits for the port would take that for
 * the server, so this skips the test. Returns a function that restores it.
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
