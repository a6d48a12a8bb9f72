/** Receives reports of probes. */
import { createServer, type Socket } from 'node:net';
import { validate } from '../../formats/probe-validator.ts';
import { within } from '../../process/deadline.ts';
import { listTree, readText } from '../../process/process-tree.ts';
import type { CellCoverage, FunctionRun, ScriptCoverage, Unseen } from '../../types/coverage.ts';
import type { ProbedScript, ProbeGreeting, ProbeReport } from '../../types/probe.ts';
import { type ProbeSetting, probeFlag } from './probe.ts';

const PATIENCE_MS = 10_000;
const CONNECT_MS = 2_000;
/** Of one message: code under test may send anything. */
const MOST_CHARACTERS = 100_000_000;
/** They only start a server. */
const LAUNCHERS = ['nsenter', 'unshare', 'sudo', 'setpriv', 'sh'];

interface Probed extends ProbeGreeting {
	/** From `isLoaded` on, pending timers run first. */
	ask(isLoaded: boolean): Promise<ProbeReport | null>;
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

/** Listens for the probes in all processes and threads of a side. */
export async function listenToProbes(setting: Omit<ProbeSetting, 'port'>): Promise<ProbeListener> {
	const probes: Probed[] = [];
	let isLoaded = false;
	const silent = new Set<Probed>();
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		let answer: (report: ProbeReport | null) => void = () => {};
		socket.once('close', () => answer(null));
		const ask = async (isLoaded: boolean) => {
			const line = new Promise<ProbeReport | null>((resolve) => {
				answer = resolve;
				if (socket.destroyed) resolve(null);
			});
			socket.write(isLoaded ? 'l' : 's');
			const heard = await within(PATIENCE_MS, line);
			return typeof heard === 'object' ? heard : null;
		};
		let text = '';
		socket.setEncoding('utf8').on('data', (chunk) => {
			text += chunk;
			for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
				const line = text.slice(0, end);
				text = text.slice(end + 1);
				const message = readMessage(line);
				if (message === null) socket.destroy();
				else if ('pid' in message) probes.push({ ...message, ask });
				else answer(message);
			}
			if (text.length > MOST_CHARACTERS) socket.destroy();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		flag: probeFlag({ ...setting, port }),
		async take(leader) {
			const due = performance.now() + CONNECT_MS;
			while (probes.length === 0 && performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 10));
			const asked = [...probes];
			const reports = await Promise.all(asked.map((probe) => (silent.has(probe) ? null : probe.ask(isLoaded))));
			isLoaded = true;
			// Each would cost the patience again.
			for (const [at, probe] of asked.entries()) if (reports[at] === null) silent.add(probe);
			return { reports, unseen: [...nameSilent(asked, reports), ...findUnseen(asked, reports, leader)] };
		},
		close() {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	};
}

/** Null for a message that no probe sends. */
function readMessage(line: string): ProbeGreeting | ProbeReport | null {
	try {
		const message: unknown = JSON.parse(line);
		return validate(message) ? message : null;
	} catch {
		return null;
	}
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

const LONGEST_DETAIL = 200;

/** Returns the coverage of a cell. `answered` counts requests that no server of node:http did. */
export function mergeReports(
	before: HeardReports,
	after: HeardReports,
	{ root, answered }: { readonly root: string; readonly answered: number },
): CellCoverage {
	const reports = after.reports.flatMap((report) => report ?? []);
	const relative = (path: string) => (path.startsWith(root) ? path.slice(root.length) : path);
	const named = (kind: Unseen['kind'], details: readonly string[]): Unseen[] =>
		details.map((detail) => ({ kind, detail: relative(detail).slice(0, LONGEST_DETAIL) }));
	const scripts = after.reports
		.flatMap((report, at) =>
			(report?.scripts ?? []).map((script, index) => mergeScript(before.reports[at]?.scripts[index], script, relative)),
		)
		.filter(({ functions }) => functions.length > 0);
	const strangers = reports.flatMap((report) => [
		...report.foreign,
		...report.scripts.filter(({ isFile }) => !isFile).map(({ path }) => path),
	]);
	const native = reports.flatMap(({ addons, wasm }) => [...addons, ...(wasm > 0 ? ['WebAssembly'] : [])]);
	const requests = reports.reduce((sum, report) => sum + report.requests, 0);
	return {
		requests: requests > 0 ? requests : answered,
		scripts,
		reads: distinct(reports.flatMap((report) => report.reads).map(relative)),
		texts: distinct(reports.flatMap((report) => report.texts)),
		unseen: [
			...named('process', distinct([...before.unseen, ...after.unseen])),
			...named('native', distinct(native)),
			...named('source', distinct(strangers)),
		],
	};
}

function mergeScript(
	before: ProbedScript | undefined,
	{ path, hash, functions }: ProbedScript,
	relative: (path: string) => string,
): ScriptCoverage {
	const merged = new Map<string, FunctionRun>();
	for (const [start, end, name, count] of before?.functions ?? [])
		merged.set(`${start} ${end} ${name}`, [start, end, name, count, 0]);
	for (const [start, end, name, count] of functions) {
		const key = `${start} ${end} ${name}`;
		merged.set(key, [start, end, name, merged.get(key)?.[3] ?? 0, count]);
	}
	return { path: relative(path), hash, functions: [...merged.values()].toSorted(([one], [other]) => one - other) };
}

function distinct(texts: readonly string[]): string[] {
	return [...new Set(texts)];
}
