/** A process in a group of its own whose output goes to a log that is kept while it is of use. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, rmSync } from 'node:fs';
import { cutLog } from '../../process/logs/cut-log.ts';
import { openLog } from '../../process/private-log.ts';
import type { Launch } from '../../types/isolation.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Bytes } from '../../types/units.ts';

/** More than anybody reads of what one server prints; beyond it, and what is printed between two looks, its log is cut. */
const LARGEST_LOG: Bytes = 8 * 1024 * 1024;
const LOG_LOOK_MS = 200;

export interface Spawned {
	readonly child: ChildProcess;
	/** Resolves when it ends, however. */
	readonly exited: Promise<void>;
	readonly logFile: string;
	/** Whether its group was let go of. */
	released(): boolean;
	/** Removes the log and lets go of the group, of which nothing is left. Twice is once. */
	release(): void;
}

/** Starts the process, guarded by the janitor. */
export function spawnLogged({ argv, cwd, env }: Launch, logFile: string, janitor: Janitor): Spawned {
	const [program = '', ...rest] = argv;
	const log = openLog(logFile);
	const child = spawn(program, rest, { cwd, detached: true, stdio: ['ignore', log, log], env });
	const cutting = setInterval(() => cutLog(log, LARGEST_LOG), LOG_LOOK_MS).unref();
	const forget = child.pid === undefined ? () => {} : janitor.guardGroup(child.pid);
	let released = false;
	return {
		child,
		exited: exitOf(child),
		logFile,
		released: () => released,
		release() {
			if (released) return;
			released = true;
			forget();
			clearInterval(cutting);
			closeSync(log);
			rmSync(logFile, { force: true });
		},
	};
}

function exitOf(child: ChildProcess): Promise<void> {
	return new Promise((resolve) => {
		child.once('exit', () => resolve());
		child.once('error', () => resolve());
	});
}
