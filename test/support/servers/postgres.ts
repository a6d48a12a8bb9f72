/** A private PostgreSQL server on loopback, run by an ordinary user. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../cli.ts';
import { pickPort } from './http-server.ts';

/** Newest installed version. */
export const POSTGRES_BIN: string | null = findBin();

/** Why dependent tests are skipped, or false. */
export const NO_POSTGRES: string | false =
	POSTGRES_BIN === null &&
	'PostgreSQL is NOT INSTALLED, so nothing was tested: apt-get install --no-install-recommends postgresql';

/** The user `nobody`, present on every system: PostgreSQL refuses to run as root. */
const NOBODY = 65534;

export interface Postgres {
	readonly port: number;
	/** Without the default ones. */
	databases(): string[];
}

/**
 * Runs until the end of the scope. The role `postgres` may do everything without a password. `through` is a command
 * prefix: `taskset -c 1`.
 */
export async function startPostgres(
	scope: { after(work: () => unknown): void },
	through: readonly string[] = [],
): Promise<Postgres> {
	const bin = POSTGRES_BIN ?? '';
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-postgres-'));
	const isRoot = process.getuid?.() === 0;
	const asNobody = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
	if (isRoot) chownSync(folder, NOBODY, NOBODY);
	chmodSync(folder, 0o755);
	let server: ChildProcess | null = null;
	scope.after(async () => {
		const gone = server && new Promise((resolve) => server?.once('exit', resolve));
		// Fast shutdown: its processes exit by themselves.
		if (server?.exitCode === null) server.kill('SIGINT');
		await gone;
		rmSync(folder, { recursive: true, force: true });
	});
	const cluster = join(folder, 'cluster');
	const init = [join(bin, 'initdb'), '--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', cluster];
	execFileSync('setpriv', [...asNobody, ...init], { cwd: folder, stdio: 'pipe' });
	const port = await pickPort();
	const settings = [
		`port=${port}`,
		'listen_addresses=127.0.0.1',
		`unix_socket_directories=${folder}`,
		'fsync=off',
	].flatMap((setting) => ['-c', setting]);
	// It must not outlive a killed test.
	const run = [...asNobody, '--pdeathsig=INT', ...through, join(bin, 'postgres'), '-D', cluster, ...settings];
	server = spawn('setpriv', run, { cwd: folder, stdio: 'ignore' });
	const ask = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
	await until('PostgreSQL', () => spawnSync(join(bin, 'pg_isready'), ask).status === 0);
	return {
		port,
		databases() {
			const list = "select datname from pg_database where datname not in ('postgres', 'template0', 'template1')";
			const databaseList = execFileSync(join(bin, 'psql'), [...ask, '-At', '-c', list, 'postgres'], {
				encoding: 'utf8',
			});
			return databaseList.split('\n').filter((name) => name !== '');
		},
	};
}

function findBin(): string | null {
	const binFolders = globSync('/usr/lib/postgresql/*/bin/initdb').map((path) => path.slice(0, -'/initdb'.length));
	const versionOf = (path: string) => Number(/(\d+)\/bin$/.exec(path)?.[1]);
	return binFolders.toSorted((one, other) => versionOf(other) - versionOf(one))[0] ?? null;
}
