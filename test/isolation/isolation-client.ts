import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import type { Isolation, IsolationWish } from '../../src/types/isolation.ts';
import type { Side } from '../../src/types/units.ts';
import type { Order } from '../fixtures/isolation-host.ts';
import { asRoot, nodeForAll, type OrdinaryUser, readableByAll, type Who } from '../support/ordinary-user.ts';

export interface Outcome {
	readonly status: number | null;
	readonly signal: string | null;
	readonly stdout: string;
	readonly stderr: string;
}

export type Uids = Readonly<Record<Side, number | null>>;

/** Properties of an open isolation. */
interface Opened
	extends Pick<Isolation, 'level' | 'reason' | 'hidesProcesses' | 'readOnly' | 'refusesRival' | 'whyOneLane'> {
	readonly uids: Uids;
	/** Id of the process that opened it. */
	readonly pid: number;
}

/** An isolation opened by another process, which is root or an ordinary user. */
export interface Client extends Opened {
	readonly host: ChildProcess;
	run(side: Side, script: string, cwd?: string, lane?: number): Promise<Outcome>;
	/** Starts a script that prints a line when it is ready. */
	start(side: Side, script: string, lane?: number): Promise<{ readonly pid: number; readonly said: string }>;
	/** Runs a script as the user that opened the isolation. */
	us(script: string): Promise<Outcome>;
	order<T>(order: Order): Promise<T>;
	close(): Promise<void>;
}

export interface ClientOptions {
	readonly who: Who;
	readonly user: OrdinaryUser;
	readonly wish?: IsolationWish;
	readonly folder: string;
	readonly needed?: readonly string[];
	/** Folder of git's repository. */
	readonly repository?: string;
	/** Command before the one that opens it. */
	readonly through?: readonly string[];
}

/** Opens an isolation in its own process, closed after the test. */
export async function openClient(t: TestContext, options: ClientOptions): Promise<Client> {
	const { who, user, wish = 'users', folder, needed = [], repository, through = [] } = options;
	const hostFile = readableByAll('test/fixtures/isolation-host.ts');
	const more = [...(repository === undefined ? [] : [`--repository=${repository}`]), ...needed];
	const argv = [...through, nodeForAll(), hostFile, wish, folder, ...more];
	const [program = '', ...args] = who === 'root' ? asRoot(argv) : user.command(argv);
	const host = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/' });
	host.stdin.on('error', () => {});
	const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
	const read = async () => {
		const { value, done } = await lines.next();
		assert.ok(!done, 'the host ended');
		return JSON.parse(value) as unknown;
	};
	const order = async <T>(line: Order): Promise<T> => {
		host.stdin.write(`${JSON.stringify(line)}\n`);
		const { answer, error } = (await read()) as { answer: T; error?: string };
		assert.equal(error, undefined);
		return answer;
	};
	let closed = false;
	const close = async () => {
		if (closed || host.exitCode !== null || host.signalCode !== null) return;
		closed = true;
		await order({ do: 'close' });
		host.stdin.end();
		await once(host, 'exit');
	};
	t.after(close);
	const opened = (await read()) as Opened;
	return {
		...opened,
		host,
		order,
		close,
		run: (side, script, cwd = '/', lane = 1) => order({ do: 'run', side, script, cwd, lane }),
		start: (side, script, lane = 1) => order({ do: 'start', side, script, lane }),
		us: (script) => order({ do: 'us', script }),
	};
}

/** A message queue of System V outlives the process that made it. */
export async function assertOwnQueues(iso: Client): Promise<void> {
	const count = "ipcs -q | grep -c ' 666 '";
	assert.equal((await iso.run('base', 'ipcmk -Q -p 0666 >&2')).status, 0);
	const counts = [iso.run('base', count), iso.run('head', count), iso.us(count)].map(async (run) => (await run).stdout);
	assert.deepEqual(await Promise.all(counts), ['1\n', '0\n', '0\n']);
}
