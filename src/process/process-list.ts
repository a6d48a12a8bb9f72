/** All processes as the kernel lists them. What does not change while a process lives is read once. */
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';

export interface ListedProcess {
	readonly parent: number;
	readonly group: number;
	/** Its user, also where it asks not to be looked at: only what lies in its folder is root's then. */
	readonly owner: number;
}

interface Known extends ListedProcess {
	/** Of its folder below /proc: a process that has the same number later has another one. */
	readonly inode: number;
}

/**
 * Returns what lists the living processes by their ids; what ended since it was seen first may be among them until it is buried. A list
 * costs one question for each process, and two more for each that is new or was adopted. `proc` is the kernel's folder of them.
 */
export function createProcessList(proc = '/proc'): () => ReadonlyMap<number, ListedProcess> {
	let known: ReadonlyMap<number, Known> = new Map();
	return () => {
		const now = new Map<number, Known>();
		for (const name of namesIn(proc)) {
			const pid = Number(name);
			const stats = Number.isInteger(pid) ? statOf(`${proc}/${name}`) : null;
			if (stats === null) continue;
			const before = known.get(pid);
			const same = before?.inode === stats.ino && before.owner === stats.uid;
			const process = same ? before : readProcess(proc, pid, stats);
			if (process !== null) now.set(pid, process);
		}
		const isAdopted = ({ parent }: Known) => now.get(parent)?.inode !== known.get(parent)?.inode;
		for (const [pid, process] of now) {
			if (process !== known.get(pid) || !isAdopted(process)) continue;
			const again = readProcess(proc, pid, { ino: process.inode, uid: process.owner });
			if (again === null) now.delete(pid);
			else now.set(pid, again);
		}
		known = now;
		return now;
	};
}

/** Null for one that has ended, buried or not. */
function readProcess(proc: string, pid: number, { ino, uid }: Pick<Stats, 'ino' | 'uid'>): Known | null {
	const stat = readStat(proc, pid);
	return stat === null || !hasLivingThread(proc, pid, stat.state)
		? null
		: { parent: stat.parent, group: stat.group, owner: uid, inode: ino };
}

/** Returns whether a process of this state runs: one whose first thread has ended looks dead while others of its threads work. */
export function hasLivingThread(proc: string, pid: number, state: string | undefined): boolean {
	return state !== undefined && (state !== 'Z' || namesIn(`${proc}/${pid}/task`).length > 1);
}

/** Returns the state, parent and group of a process; null when it is gone. */
export function readStat(
	proc: string,
	pid: number,
): { readonly state: string; readonly parent: number; readonly group: number } | null {
	try {
		const text = readFileSync(`${proc}/${pid}/stat`, 'latin1');
		// The name in parentheses may contain anything, so fields are counted from its end: state, ppid, pgrp.
		const [state = '', parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ', 3);
		return { state, parent: Number(parent), group: Number(group) };
	} catch {
		return null;
	}
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

function statOf(path: string): Stats | null {
	try {
		return statSync(path, { throwIfNoEntry: false }) ?? null;
	} catch {
		return null;
	}
}
