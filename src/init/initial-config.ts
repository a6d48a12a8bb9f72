import { stringify } from 'yaml';
import type { Catalogue } from '../config/catalogue.ts';

/** What matters of a package.json. Not validated: it is the user's. */
export interface PackageJson {
	readonly name?: unknown;
	readonly main?: unknown;
	readonly scripts?: unknown;
}

const MARGINS = `
# A drop beyond the threshold fails, a drop up to half of it is harmless.
threshold: 5%

# Time for measuring. More time decides smaller differences.
budget: 10m

# What an undecided scenario means for the check: pass, fail or neutral.
gate: { on-inconclusive: pass, metrics: [throughput] }
`;

/**
 * Returns a commented config that suits the package: for a package that built-in servers use, those servers with the
 * package as subject; for anything else a server of its own, started the way its package.json says.
 */
export function initialConfig(packageJson: PackageJson | null, catalogue: Catalogue): string {
	const name = typeof packageJson?.name === 'string' ? packageJson.name : '';
	const users = catalogue.servers.filter((server) => server.dependencies.includes(name)).map((server) => server.name);
	return (users.length > 0 ? frameworkConfig(name, users) : serviceConfig(name, packageJson, catalogue)) + MARGINS;
}

function frameworkConfig(name: string, users: readonly string[]): string {
	return `# Does a change make servers that use ${name} slower?

# Folder of the package. It is packed on each side and installed into the servers below.
subject: .

# Run once per side before packing. Default: install by lockfile.
# prepare: npm ci && npm run build

# Servers that come with benchgate; see benchgate list.
servers:
${users.map((user) => `  - ${user}`).join('\n')}

# Scenarios or groups that come with benchgate, or your own.
scenarios: [core]
`;
}

function serviceConfig(name: string, packageJson: PackageJson | null, catalogue: Catalogue): string {
	const example = catalogue.servers[0]?.name ?? 'express';
	return `# Does a change make this server slower?

# Run once per side before starting. Default: install by lockfile.
# prepare: npm ci && npm run build

# Folder of bench servers, if they are not the program under test: both sides get them from the base branch.
# harness: [bench]

servers:
  # Any program that serves HTTP on HOST:PORT. Servers that come with benchgate are named alone: - ${example}
  - name: ${stringify(serverName(name, catalogue)).trim()}
    command: ${stringify(startCommand(packageJson), { lineWidth: 0 }).trim()}
    # cwd: .
    # env: { LOG_LEVEL: silent }
    # Ready when this path answers; without it, when the port accepts a connection.
    # ready: { path: /healthz, timeout: 30s }

scenarios:
  # One request with its right answer. Wrong answers are never counted as fast.
  - name: home
    request: { path: / }
    expect: { status: 200 }
    load: { connections: 20 }
    # threshold: 8%
`;
}

/** The package name as a server name: without scope, only characters a name may have, not the name of anything built in. */
function serverName(packageName: string, catalogue: Catalogue): string {
	const bare = packageName.replace(/^@[^/]*\//, '').replace(/[^A-Za-z0-9._-]/g, '-');
	const name = bare.replace(/^[^A-Za-z0-9]+/, '').slice(0, 50) || 'server';
	return catalogue.servers.some((server) => server.name === name) ? `my-${name}` : name;
}

/** The start script itself when it runs node, because a package manager between benchgate and the server costs CPU and memory. */
function startCommand(packageJson: PackageJson | null): string {
	const scripts = packageJson?.scripts as Readonly<Record<string, unknown>> | null | undefined;
	const start = scripts?.start;
	if (typeof start === 'string' && /^node\s/.test(start) && !start.includes('\n')) return start;
	if (typeof start === 'string') return 'npm start';
	return typeof packageJson?.main === 'string' ? `node ${packageJson.main}` : 'node server.js';
}
