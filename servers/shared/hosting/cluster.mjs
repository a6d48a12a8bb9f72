/**
 * Runs a server's program in `WORKERS` worker processes of node:cluster, which share its port:
 * `WORKERS=4 node ../shared/hosting/cluster.mjs server.mjs`.
 */
import cluster from 'node:cluster';
import { Server } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const program = process.argv[2];
const count = Number(process.env.WORKERS);

if (cluster.isPrimary) startWorkers();
else await startProgram();

function startWorkers() {
	let loaded = 0;
	let living = count;
	let isEnding = false;
	const all = () => Object.values(cluster.workers);
	for (let index = 0; index < count; index++) cluster.fork();
	cluster.on('message', (_worker, message) => {
		if (message !== 'loaded' || ++loaded < count) return;
		for (const worker of all()) worker.send('listen');
	});
	cluster.on('exit', (worker, code, signal) => {
		living -= 1;
		// The whole process group gets SIGTERM, so a worker may have ended before this process handles it.
		const isEnded = isEnding || code === 0 || signal === 'SIGTERM';
		if (isEnded && living === 0) process.exit(0);
		if (isEnded) return;
		console.error(`worker ${worker.id} of ${count} ended by itself (${signal ?? `exit code ${code}`})`);
		process.exit(1);
	});
	process.once('SIGTERM', () => {
		isEnding = true;
		if (living === 0) process.exit(0);
		for (const worker of all()) worker.process.kill('SIGTERM');
	});
}

/** The workers that listen first would keep early connections, so no worker listens before all are ready. */
async function startProgram() {
	const listen = Server.prototype.listen;
	const ready = new Promise((done) => {
		process.on('message', (message) => {
			if (message === 'listen') done();
		});
	});
	Server.prototype.listen = function (...args) {
		process.send('loaded');
		ready.then(() => listen.apply(this, args));
		return this;
	};
	await import(pathToFileURL(resolve(program)));
}
