/**
 * An ordinary user with passwordless sudo, as on GitHub's runners: signals, /proc and files behave differently for
 * root. Created per test file and removed after it; sudo is installed if missing.
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUDOERS = '/etc/sudoers.d';
/** For a concurrent installation or useradd. */
const PATIENCE = { retries: 300, minTimeout: 500, maxTimeout: 500 };

/** Root, or an ordinary user with sudo. */
export type Who = 'root' | 'sudo';
export const BOTH_WAYS: readonly Who[] = ['root', 'sudo'];

export interface OrdinaryUser {
	readonly name: string;
	readonly home: string;
	/** Returns `argv` wrapped to run as that user. */
	command(argv: readonly string[]): string[];
}

/** Returns `argv` wrapped to run as root, through sudo if necessary. */
export function asRoot(argv: readonly string[]): string[] {
	return process.getuid?.() === 0 ? [...argv] : ['sudo', '-n', '--', ...argv];
}

/** Creates a user with passwordless sudo for this test file. */
export async function makeOrdinaryUser(): Promise<OrdinaryUser> {
	const name = `bg-${randomBytes(4).toString('hex')}`;
	const rule = join(SUDOERS, name);
	const release = await lock('/etc', { lockfilePath: '/tmp/benchgate-tests-users.lock', retries: PATIENCE });
	try {
		await installSudo();
		await root('useradd', '--create-home', '--shell', '/bin/sh', name);
		await root('sh', '-c', `echo '${name} ALL=(ALL) NOPASSWD:ALL' >${rule} && chmod 440 ${rule}`);
	} finally {
		await release();
	}
	after(async () => {
		await root('rm', '-f', rule);
		// /etc/passwd may be locked briefly.
		for (let attempt = 0; ; attempt++) {
			try {
				await root('userdel', '--remove', '--force', name);
				return;
			} catch (error) {
				if (attempt === 40) throw error;
				await delay(250);
			}
		}
	});
	const home = `/home/${name}`;
	const ids = ['--reuid', name, '--regid', name, '--init-groups', '--'];
	const clean = ['env', '-i', `HOME=${home}`, 'PATH=/usr/local/bin:/usr/bin:/bin', `USER=${name}`];
	return { name, home, command: (argv) => asRoot(['setpriv', ...ids, ...clean, ...argv]) };
}

async function root(...argv: readonly string[]): Promise<void> {
	const [program = '', ...args] = asRoot(argv);
	await run(program, args);
}

/** Preinstalled on hosted runners, missing in a bare Debian. Throws on failure: a test that needs it must not pass. */
async function installSudo(): Promise<void> {
	if (!isExecutable('/usr/bin/sudo')) await install('sudo');
}

/** Like benchgate's rules; removed when nft exits. */
const PROBE = `add table inet benchgate_probe { flags owner; }
add chain inet benchgate_probe out { type filter hook output priority 0; }
add rule inet benchgate_probe out oifname lo meta skuid 1 reject with tcp reset
`;
let refusal: Promise<string | null> | null = null;

/** Returns why this machine cannot separate the sides' ports; null if it can. Installs nft if missing. */
export function whyNoPortGuard(): Promise<string | null> {
	refusal ??= tryNft().then(
		() => null,
		(error: Error & { stderr?: string }) => `nft cannot be used here: ${error.stderr?.trim() || error.message}`,
	);
	return refusal;
}

async function tryNft(): Promise<void> {
	const release = await lock('/etc', { lockfilePath: '/tmp/benchgate-tests-users.lock', retries: PATIENCE });
	try {
		if (!isExecutable('/usr/sbin/nft')) await install('nftables');
		await root('/bin/sh', '-c', `echo '${PROBE}' | /usr/sbin/nft -f -`);
	} finally {
		await release();
	}
}

async function install(name: string): Promise<void> {
	const env = ['env', 'DEBIAN_FRONTEND=noninteractive'];
	await root(...env, 'apt-get', 'update', '-q');
	await root(...env, 'apt-get', 'install', '-y', '-q', '--no-install-recommends', name);
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

let copied: string | null = null;

/** Returns the path of a file of this checkout, or of a world-readable copy. */
export function readableByAll(path: string): string {
	if (canBeEntered(ROOT)) return join(ROOT, path);
	if (copied === null) {
		copied = mkdtempSync('/var/tmp/benchgate-tests-');
		const copy = copied;
		execFileSync('chmod', ['0755', copy]);
		for (const part of ['src', 'test/fixtures', 'dist', 'servers', 'scenarios', 'schema'])
			cpSync(join(ROOT, part), join(copy, part), { recursive: true });
		cpSync(process.execPath, join(copy, 'node'));
		writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
		after(() => rmSync(copy, { recursive: true, force: true }));
	}
	return join(copied, path);
}

/** Returns the current Node, or a world-executable copy. */
export function nodeForAll(): string {
	if (canBeEntered(dirname(process.execPath))) return process.execPath;
	return join(dirname(readableByAll('package.json')), 'node');
}

function canBeEntered(folder: string): boolean {
	for (let at = folder; ; at = dirname(at)) {
		if ((statSync(at).mode & 0o001) === 0) return false;
		if (at === dirname(at)) return true;
	}
}
