/** Makes one side's namespaces, folders and view. */
import { readlinkSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { listTree, readFolder, readText } from '../../process/process-tree.ts';
import { signalGroup, signalProcess } from '../../process/processes.ts';
import {
	enterControlGroup,
	killControlGroup,
	openControlGroup,
	removeControlGroup,
} from '../../process/users/control-group.ts';
import { briefly, endDoomed, KILL_ALL } from '../../process/users/kill-all.ts';
import { tryCommand } from '../../process/users/run-as-root.ts';
import { removeOwn, scratchIn } from '../../process/users/same-user.ts';
import type { SideUser } from '../../types/isolation.ts';
import type { ControlGroup } from '../../types/run-services.ts';
import { collectViewFacts } from '../collect-view-facts.ts';
import { type IsolationFacts, type IsolationOptions, isKernelSince } from '../isolation-facts.ts';
import { type KeptView, keepView } from '../keep-view.ts';
import { planView, shownTemporary } from '../plan-view.ts';
import { fillHome, maskGitConfig, maskSecretFiles } from '../private-files.ts';
import { enterFolder, holder, privateEnvironment } from '../side-user.ts';
import { type MadeSide, swapsFor } from './make-lane.ts';
import { mendView } from './mend-view.ts';

/** First kernel that counts a user's processes per user namespace. */
const OWN_COUNTS = [5, 14] as const;
const OWN_NAMESPACES = [
	'--user',
	'--map-root-user',
	'--mount',
	'--propagation',
	'private',
	'--ipc',
	'--pid',
	'--fork',
	'--kill-child',
	'--',
];

export interface NamespacesOptions extends IsolationOptions {
	readonly facts: IsolationFacts;
}

export interface MadeNamespace extends MadeSide {
	readonly view: KeptView;
}

/**
 * Returns a side with private folders below `root`. With `first`, copies (made later) replace the home and writable
 * folders.
 */
export async function makeNamespace(
	options: NamespacesOptions,
	root: string,
	first?: MadeNamespace,
): Promise<MadeNamespace> {
	const { facts } = options;
	const ownFolder = await mkdtemp(join(root, 'own-'));
	const home = first?.home ?? join(ownFolder, 'home');
	const temporary = join(ownFolder, 'temporary');
	const swaps = first === undefined ? [] : swapsFor([home, ...first.given()], ownFolder);
	for (const path of [temporary, ...(first === undefined ? [home] : swaps.map(({ by }) => by))]) await mkdir(path);
	if (first === undefined) await fillHome(home);
	const { repository, folder } = options;
	const masks = [
		...(await maskGitConfig(repository, ownFolder)),
		...(await maskSecretFiles(repository, ownFolder, folder)),
	];
	const request = { ...options, temporary, masks, swaps, writable: [ownFolder], processes: 'own-namespace' as const };
	const plan = planView(collectViewFacts(request));
	if (plan === null) throw new Error('there is no folder to build a view in');
	const view = await keepView([facts.unshare ?? 'unshare', ...OWN_NAMESPACES], plan);
	const keeper = listTree(view.starter).find((pid) => pid !== view.starter);
	if (keeper === undefined) throw new Error('the namespaces are gone');
	// Enters the process namespace too: its /proc means nothing outside.
	const target = ['--target', String(keeper), '--user', '--mount', '--ipc', '--pid', '--preserve-credentials', '--'];
	const within = (...argv: readonly string[]) => [facts.nsenter ?? 'nsenter', ...target, ...argv];
	const run = (script: string, ...args: readonly string[]) => {
		const [program = '', ...commandArgs] = within('/bin/sh', '-c', script, ...args);
		return tryCommand(program, commandArgs);
	};
	const asNamespaceRoot = (script: string, folder: string) => {
		const { succeeded, lastLine } = run(script, folder);
		if (!succeeded) throw new Error(lastLine);
	};
	const group = await openControlGroup(process.getuid?.() === 0 ? 'root' : null);
	const releaseGroup = group === null ? () => {} : options.janitor.guardControlGroup(group);
	const mender = mendView(plan, { keeper, run });
	const sideFolders = new Set<string>();
	const side: SideUser = {
		uid: null,
		group: group?.path ?? null,
		hold: holder(group ?? undefined),
		environment: (inherited) => privateEnvironment(inherited, home, temporary, null),
		launch(argv, launchOptions) {
			mender.mend();
			return {
				argv: [
					...(group ? enterControlGroup(group) : []),
					...within(...backToUs(facts), ...enterFolder(argv, launchOptions, isKernelSince(OWN_COUNTS))),
				],
				cwd: '/',
				env: { PATH: process.env.PATH ?? '' },
			};
		},
		scratch: (name) => scratchIn(temporary, name, removeOwn, shownTemporary(plan, temporary)),
		signalGroup,
		listens() {},
		endAll: () => endNamespace(keeper, within(...KILL_ALL), group),
		async give(folder) {
			sideFolders.add(folder);
			asNamespaceRoot('mount --bind "$0" "$0" && mount -o remount,bind,rw none "$0"', folder);
		},
		async seal(folder) {
			sideFolders.delete(folder);
			asNamespaceRoot('umount -l "$0"', folder);
		},
		// Our files are already readable in the namespace, and read-only.
		allow: async () => {},
	};
	return {
		...{ side, mender, home, swaps },
		view: {
			...view,
			async close() {
				await view.close();
				if (group !== null) await removeControlGroup(group);
				releaseGroup();
			},
		},
		given: () => [...sideFolders],
	};
}

/** Root of the namespaces could change the view, so code runs as our own user. */
function backToUs({ unshare, setpriv }: IsolationFacts): string[] {
	const ids = [`--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`];
	return [
		unshare ?? 'unshare',
		'--user',
		...ids,
		'--',
		setpriv ?? 'setpriv',
		'--no-new-privs',
		'--inh-caps=-all',
		'--',
	];
}

/** Ends all processes except the keeper, which is the first. */
function endNamespace(keeper: number, kill: readonly string[], group: ControlGroup | null): Promise<number> {
	const list = () => listInNamespace(keeper);
	const send = () => {
		if (group !== null) killControlGroup(group);
		const [program = '', ...args] = briefly(kill);
		return tryCommand(program, args).lastLine;
	};
	const insist = () => {
		// The namespace's processes cannot kill or stop a sender outside.
		for (const pid of list()) {
			signalProcess(pid, 'SIGSTOP');
			signalProcess(pid, namespaceOf(pid) === namespaceOf(keeper) ? 'SIGKILL' : 'SIGCONT');
		}
		return send();
	};
	return endDoomed({ name: 'a namespace', list, send, insist });
}

function listInNamespace(keeper: number): number[] {
	const namespace = namespaceOf(keeper);
	return readFolder('/proc')
		.map(Number)
		.filter((pid) => Number.isInteger(pid) && pid !== keeper && namespaceOf(pid) === namespace && !isDead(pid));
}

function namespaceOf(pid: number): string | null {
	try {
		return readlinkSync(`/proc/${pid}/ns/pid`);
	} catch {
		// Gone or another user's, so not in our namespace.
		return null;
	}
}

function isDead(pid: number): boolean {
	return /^State:\s+[ZX]/m.test(readText(`/proc/${pid}/status`) ?? '');
}
