/** Receives reports of probes. */
import { createServer, type Socket } from 'node:net';
import { within } from '../../process/deadline.ts';
import { listTree, readText } from '../../process/process-tree.ts';
import { type ProbeGreeting, type ProbeReport, probeFlag } from './probe.ts';

const PATIENCE_MS = 10_000;
const CONNECT_MS = 2_000;
/** They only start a server. The shell does nothing else where a cell can be unaffected (find-unaffected.ts). */
const LAUNCHERS = ['nsenter', 'unshare', 'sudo', 'setpriv', 'sh'];

interface Probed extends ProbeGreeting {
	ask(): Promise<ProbeReport | null>;
}

export interface HeardReports {
	/** By probe; null if it is silent. */
	readonly reports: readonly (ProbeReport | null)[];
	/** `sh (process 4711)`. Untrusted text. */
	readonly unseen: readonly string[];
}

export interface ProbeListener {
	readonly flag: string;
	/** Asks all probes below the process `leader`. */
	take(leader: number): Promise<HeardReports>;
	close(): void;
}

/** Listens for the probes in all processes and threads of a side. `root` ends with a slash. */
export async function listenToProbes(root: string): Promise<ProbeListener> {
	const probes: Probed[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		let answer: (line: string | null) => void = () => {};
		socket.once('close', () => answer(null));
		const ask = async () => {
			const line = new Promise<string | null>((resolve) => {
				answer = resolve;
				if (socket.destroyed) resolve(null);
			});
			socket.write('\n');
			const text = await within(PATIENCE_MS, line);
			return typeof text === 'string' ? (JSON.parse(text) as ProbeReport) : null;
		};
		let text = '';
		socket.setEncoding('utf8').on('data', (chunk) => {
			text += chunk;
			for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
				const line = text.slice(0, end);
				text = text.slice(end + 1);
				if (line.startsWith('{"pid":')) probes.push({ ...(JSON.parse(line) as ProbeGreeting), ask });
				else answer(line);
			}
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		flag: probeFlag({ port, root }),
		async take(leader) {
			const due = performance.now() + CONNECT_MS;
			while (probes.length === 0 && performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 10));
			const asked = [...probes];
			const reports = await Promise.all(asked.map((probe) => probe.ask()));
			return { reports, unseen: [...nameSilent(asked, reports), ...findUnseen(asked, reports, leader)] };
		},
		close() {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	};
}

type Reports = HeardReports['reports'];

function nameSilent(probes: readonly ProbeGreeting[], reports: Reports): string[] {
	const silent = probes.filter((_, at) => reports[at] === null);
	return silent.map(({ pid, thread }) => `${thread === 0 ? 'node' : 'a worker thread'} (process ${pid})`);
}

function findUnseen(probes: readonly ProbeGreeting[], reports: Reports, leader: number): string[] {
	const known = new Set(probes.map(({ pid }) => pid));
	const children = reports.flatMap((report) => report?.children ?? []);
	const ended = children.flatMap(({ pid, file }) => (known.has(pid) ? [] : [`${file} (process ${pid})`]));
	const living = listTree(leader).flatMap((pid) => {
		const status = readText(`/proc/${pid}/status`) ?? '';
		const [, name = ''] = /^Name:\t(.*)$/m.exec(status) ?? [];
		// In a namespace, the last id is the process's own.
		const inside = Number(/^NSpid:.*?(\d+)$/m.exec(status)?.[1] ?? pid);
		const isChild = children.some((child) => child.pid === inside);
		return status === '' || known.has(inside) || isChild || LAUNCHERS.includes(name)
			? []
			: [`${name} (process ${pid})`];
	});
	const threads = reports.flatMap((report) => report?.threads ?? []).length;
	const missing = threads - probes.filter(({ thread }) => thread !== 0).length;
	const programs = reports.flatMap((report) => report?.programs ?? []);
	return [...programs, ...ended, ...living, ...(missing > 0 ? [`${missing} worker threads`] : [])];
}
