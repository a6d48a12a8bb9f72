import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';

export interface ListedProcess {
	readonly parent: number;
	readonly group: number;
	/** Correct even for a non-dumpable process, because only the files inside its /proc folder then belong to root. */
	readonly owner: number;
}

interface Known extends ListedProcess {
	/** Inode of its /proc folder. A later process with this id has another inode. */
	readonly inode: number;
}

/**
 * Returns a function that lists processes by id. One that was seen alive stays listed until reaped. A call costs one
 * lookup per process, and two more per new or adopted one.
 */
export function createProcessList(proc = '/proc'): () => ReadonlyMap<number, ListedProcess> {
	let lastProcesses: ReadonlyMap<number, Known> = new Map();
	return () => {
		const now = new Map<number, Known>();
		for (const name of namesIn(proc)) {
			const pid = Number(name);
			const stats = Number.isInteger(pid) ? statOf(`${proc}/${name}`) : null;
			if (stats === null) continue;
			const before = lastProcesses.get(pid);
			const same = before?.inode === stats.ino && before.owner === stats.uid;
			const process = same ? before : readProcess(proc, pid, stats);
			if (process !== null) now.set(pid, process);
		}
		const isAdopted = ({ parent }: Known) => now.get(parent)?.inode !== lastProcesses.get(parent)?.inode;
		for (const [pid, process] of now) {
			if (process !== lastProcesses.get(pid) || !isAdopted(process)) continue;
			const again = readProcess(proc, pid, { ino: process.inode, uid: process.owner });
			if (again === null) now.delete(pid);
			else now.set(pid, again);
		}
		lastProcesses = now;
		return now;
	};
}

function readProcess(proc: string, pid: number, { ino, uid }: Pick<Stats, 'ino' | 'uid'>): Known | null {
	const stat = readStat(proc, pid);
	return stat === null || !hasLivingThread(proc, pid, stat.state)
		? null
		: { parent: stat.parent, group: stat.group, owner: uid, inode: ino };
}

/** Returns whether a process runs. After its first thread ended, it looks like a zombie while other threads work. */
export function hasLivingThread(proc: string, pid: number, state: string | undefined): boolean {
	return state !== undefined && (state !== 'Z' || namesIn(`${proc}/${pid}/task`).length > 1);
}

export function readStat(
	proc: string,
	pid: number,
): { readonly state: string; readonly parent: number; readonly group: number } | null {
	try {
		const text = readFileSync(`${proc}/${pid}/stat`, 'latin1');
		// Fields after the name, which may contain `)`: state, ppid, pgrp.
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
