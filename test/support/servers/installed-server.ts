import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { copyServer, readBuiltins, startCommand } from '../../../src/prepare/builtin-servers.ts';
import { TOOL_ROOT } from '../../../src/process/entries.ts';
import { pickPort } from './http-server.ts';

const SERVERS = fileURLToPath(new URL('../../../servers/', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/benchgate-tests/', import.meta.url));
const START_TIMEOUT_MS = 30_000;

/** Package → version, replacing the pinned one. */
export type Replacements = Readonly<Record<string, string>>;

export interface RunningServer extends AsyncDisposable {
	readonly origin: string;
	readonly process: ChildProcess;
	/** Output so far. */
	output(): string;
	/** Starts its program again in the same folder. */
	again(): Promise<RunningServer>;
}

/** Replacement for a server's program and environment. */
export interface Hosting {
	readonly program?: string;
	readonly env?: Readonly<Record<string, string>>;
}

export const TEST_NODE = process.env.BENCHGATE_TEST_NODE ?? process.execPath;

/** A built-in server in a folder below `root`, with the files servers share. */
export interface InstalledServer {
	readonly root: string;
	readonly folder: string;
	readonly argv: readonly string[];
}

/** Installs `servers/<name>` (once per set of versions) into a new folder, which the caller removes. */
export async function installBuiltin(
	name: string,
	replacements: Replacements = {},
	node = TEST_NODE,
): Promise<InstalledServer> {
	const [server] = await readBuiltins(TOOL_ROOT, [{ kind: 'built-in', name }]);
	if (server === undefined) throw new Error(`there is no server ${name}`);
	const root = mkdtempSync(join(tmpdir(), `benchgate-${name}-`));
	const folder = join(root, name);
	await copyServer(server, root);
	symlinkSync(join(await install(name, replacements), 'node_modules'), join(folder, 'node_modules'));
	await build(server.manifest.scripts?.build, folder);
	return { root, folder, argv: startCommand(server.manifest, { node, folder }) };
}

/** Installs and starts `servers/<name>` on a free port. */
export async function startBuiltin(
	name: string,
	replacements: Replacements = {},
	node = TEST_NODE,
	by?: Hosting,
): Promise<RunningServer> {
	const { root, folder, argv: own } = await installBuiltin(name, replacements, node);
	const [program = '', ...args] = own;
	const argv = by?.program === undefined ? [program, ...args] : [program, by.program, ...args];
	return startFolder(name, folder, {
		argv,
		...(by?.env && { env: by.env }),
		clean: () => rmSync(root, { recursive: true, force: true }),
	});
}

/** Starts an installed folder on a free port; `clean` runs after its end. */
export async function startFolder(
	name: string,
	folder: string,
	{
		argv: [program = '', ...args] = [TEST_NODE, 'server.mjs'],
		env = {},
		clean = () => {},
	}: {
		readonly argv?: readonly string[];
		readonly env?: Readonly<Record<string, string>>;
		readonly clean?: () => void;
	} = {},
): Promise<RunningServer> {
	const port = await pickPort();
	const child = spawn(program, args, {
		cwd: folder,
		env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), NODE_ENV: 'production', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
	const exited = once(child, 'exit');
	const stop = async () => {
		if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
		await exited;
		clean();
	};
	const running = {
		origin: `http://127.0.0.1:${port}`,
		process: child,
		output: () => printed,
		again: () => startFolder(name, folder, { argv: [program, ...args], env }),
		[Symbol.asyncDispose]: stop,
	};
	try {
		await waitForPort(port, child);
	} catch (error) {
		await stop();
		throw new Error(`${name} did not start: ${printed}`, { cause: error });
	}
	return running;
}

/** Returns the folder with the server's `node_modules`. */
async function install(name: string, replacements: Replacements): Promise<string> {
	const manifest = JSON.parse(readFileSync(join(SERVERS, name, 'package.json'), 'utf8'));
	const hasLock = existsSync(join(SERVERS, name, 'package-lock.json'));
	const lock = hasLock ? readFileSync(join(SERVERS, name, 'package-lock.json')) : '';
	const replaced = Object.keys(replacements).length > 0;
	manifest.dependencies = { ...manifest.dependencies, ...replacements };
	const text = JSON.stringify(manifest);
	const folder = join(CACHE, `${name}-${createHash('sha256').update(text).update(lock).digest('hex').slice(0, 16)}`);
	if (existsSync(folder)) return folder;
	mkdirSync(CACHE, { recursive: true });
	const building = mkdtempSync(join(CACHE, `building-${name}-`));
	await writeFile(join(building, 'package.json'), text);
	if (!replaced) await writeFile(join(building, 'package-lock.json'), lock);
	mkdirSync(join(building, 'node_modules'));
	if (hasLock) await npm(building, replaced ? ['install', '--no-package-lock', '--legacy-peer-deps'] : ['ci']);
	try {
		renameSync(building, folder);
	} catch (error) {
		// A concurrent test process won; its folder has the same content.
		rmSync(building, { recursive: true, force: true });
		if (!existsSync(folder)) throw error;
	}
	return folder;
}

/** Builds a server that needs it, inside its own folder. */
async function build(script: string | undefined, cwd: string): Promise<void> {
	if (script === undefined) return;
	const [program = '', ...args] = script.split(' ');
	const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
	const [code] = await once(child, 'exit');
	if (code !== 0) throw new Error(`${script} failed in ${cwd}`);
}

async function npm(cwd: string, args: readonly string[]): Promise<void> {
	const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
		cwd,
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	const [code] = await once(child, 'exit');
	if (code !== 0) throw new Error(`npm ${args[0]} failed in ${cwd}`);
}

/** Waits for the port to accept connections; throws if the process exits or takes too long. */
export async function waitForPort(port: number, child: ChildProcess): Promise<void> {
	const deadline = Date.now() + START_TIMEOUT_MS;
	while (Date.now() < deadline) {
		if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
		const socket = connect(port, '127.0.0.1');
		try {
			await once(socket, 'connect');
			return;
		} catch {
			await delay(20);
		} finally {
			socket.destroy();
		}
	}
	throw new Error(`it did not listen within ${START_TIMEOUT_MS / 1000} s`);
}
