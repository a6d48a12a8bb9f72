import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeCommand } from '../child.ts';
import type { Session } from '../prepare-context.ts';
import { type Checkout, runStep } from '../revision/checkout.ts';
import { readInstalledVersions } from './installed-versions.ts';
import { findInstallRoot, type InstallRoot, missingManagers } from './package-manager.ts';

// npm tells all that it starts what it was itself asked to run. An `npx` in the command, or in a script, would refuse its own order.
const FORGET = 'unset npm_config_call npm_config_package npm_config_yes';

/**
 * Installs and builds a checkout: the config's `prepare` command once in its top folder, or by default an install where
 * each of the given folders (relative) gets its dependencies from. Returns the number of packages installed.
 */
export async function installCheckout(
	session: Session,
	checkout: Checkout,
	folders: readonly string[],
): Promise<number> {
	const { prepare } = session.config;
	if (prepare !== undefined) {
		const fetched = (await missingManagers(session, checkout.folder, prepare)).map((spec) => `--package=${spec}`);
		const npx = ['npx', '--yes', ...fetched, '-c', `${FORGET}; ${prepare}`];
		const plain = isPlainCommand(prepare) ? prepare : describeCommand(['sh', '-c', prepare]);
		const step =
			fetched.length === 0
				? { argv: ['/bin/sh', '-c', prepare], typed: plain }
				: { argv: [session.npm ?? 'npm', 'exec', ...npx.slice(1)], typed: describeCommand(npx) };
		await runStep(session, checkout, { ...step, spoken: prepare, folder: checkout.folder });
		return countPackages([checkout.folder]);
	}
	const roots = new Map<string, InstallRoot>();
	for (const folder of folders) {
		const root = await findInstallRoot(session, checkout.folder, join(checkout.folder, folder));
		if (root !== null) roots.set(root.folder, root);
	}
	for (const { folder, manager, args } of roots.values()) {
		// Published tarballs come built, and their development dependencies are none of a user's.
		const all = isTarball(checkout) && manager.name === 'npm' ? [...args, '--omit=dev'] : args;
		const spoken = [manager.spoken, ...all].join(' ');
		await runStep(session, checkout, { argv: [...manager.argv, ...all], spoken, folder });
	}
	return countPackages([...roots.keys()]);
}

/** Whether a shell command means the same between two `&&` as alone: no operators, nothing that stays with the shell. */
function isPlainCommand(command: string): boolean {
	return /^[\w@%+=:,./^~ -]+$/.test(command) && !/^\s*(cd|export|exec|exit|set|umask)\b/.test(command);
}

function isTarball({ origin }: Checkout): boolean {
	return origin.source.kind === 'npm' || origin.source.kind === 'file';
}

async function countPackages(folders: readonly string[]): Promise<number> {
	let packages = 0;
	for (const folder of folders) {
		packages += Object.keys(await readInstalledVersions(folder)).length;
	}
	return packages;
}

/** Returns whether a folder exists. */
export function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}
