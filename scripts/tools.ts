/**
 * Builds the tools of the tests: act (runs workflows), actionlint and zizmor (check them), each at a fixed version,
 * once, into BENCHGATE_TOOLS, else ~/.cache/benchgate-tools. Needs Go and Python 3 with pip.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';

const run = promisify(execFile);

export type ToolName = 'act' | 'actionlint' | 'zizmor';

interface Tool {
	readonly version: string;
	/** Builds into an empty folder; `bin/<name>` must exist afterwards. */
	readonly build: (folder: string, version: string) => Promise<void>;
}

const TOOLS: Readonly<Record<ToolName, Tool>> = {
	act: { version: 'v0.2.89', build: goInstall('github.com/nektos/act') },
	actionlint: { version: 'v1.7.12', build: goInstall('github.com/rhysd/actionlint/cmd/actionlint') },
	zizmor: { version: '1.32.0', build: pipInstall('zizmor') },
};

/** For another process that builds the same tool (ms). */
const PATIENCE = { retries: 200, minTimeout: 2000, maxTimeout: 2000 };

/** Builds missing tools one after the other, and returns the paths of all. */
export async function ensureTools(say?: (text: string) => void): Promise<Record<ToolName, string>> {
	const act = await ensureTool('act', say);
	return { act, actionlint: await ensureTool('actionlint', say), zizmor: await ensureTool('zizmor', say) };
}

/**
 * Builds the tool if it is missing, and returns its path. `say` receives progress messages.
 *
 * @throws Error with the output of the compiler or installer if the build fails.
 */
export async function ensureTool(name: ToolName, say: (text: string) => void = () => {}): Promise<string> {
	const { version, build } = TOOLS[name];
	const cache = process.env.BENCHGATE_TOOLS ?? join(homedir(), '.cache', 'benchgate-tools');
	const folder = join(cache, `${name}-${version}`);
	const path = join(folder, 'bin', name);
	if (existsSync(path)) return path;
	await mkdir(cache, { recursive: true });
	const release = await lock(cache, { lockfilePath: `${folder}.lock`, retries: PATIENCE });
	const fresh = await mkdtemp(`${folder}-`);
	try {
		if (existsSync(path)) return path;
		say(`building ${name} ${version}`);
		await build(fresh, version);
		if (!existsSync(join(fresh, 'bin', name))) throw new Error(`the installer left no bin/${name}`);
		await rename(fresh, folder);
		return path;
	} catch (error) {
		throw new Error(`${name} ${version} could not be built: ${describe(error)}`, { cause: error });
	} finally {
		await rm(fresh, { recursive: true, force: true });
		await release();
	}
}

function goInstall(module: string): Tool['build'] {
	return async (folder, version) => {
		const env = { ...process.env, GOBIN: join(folder, 'bin'), CGO_ENABLED: '0', GOFLAGS: '-trimpath' };
		await run('go', ['install', `${module}@${version}`], { env, cwd: folder });
	};
}

function pipInstall(name: string): Tool['build'] {
	return async (folder, version) => {
		// Not a virtual environment: Debian packages venv separately.
		const target = ['--target', folder, '--no-deps', '--only-binary', ':all:'];
		await run('python3', ['-m', 'pip', 'install', '--quiet', ...target, `${name}==${version}`]);
	};
}

function describe(error: unknown): string {
	const { code, path, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string };
	if (code === 'ENOENT') return `${path ?? 'a program'} is not installed`;
	return stderr?.trim() || message;
}

if (import.meta.main) {
	for (const [name, path] of Object.entries(await ensureTools(console.log))) console.log(`${name}: ${path}`);
}
