/** Restores lost mounts. The kernel drops a mount in all mount namespaces when its path is removed. */
import { existsSync } from 'node:fs';
import { readText } from '../../process/process-tree.ts';
import { nameAll } from '../../text/phrase.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { hideScript, listMountPoints, maskScript, mountedScript, type View } from '../view-script.ts';

/** More than one, because a program needs a moment to replace a file. */
const TRIES = 3;
const NAMED = 3;

export interface Mender {
	/**
	 * Restores lost masks. Call it before anything starts behind the view. Throws UserError `uncovered` on failure, or
	 * when a covered folder is visible.
	 */
	mend(): void;
	/**
	 * Makes these folders look empty and inaccessible, and reveals those hidden before. No server may run meanwhile.
	 * Throws UserError `uncovered`.
	 */
	hide(folders: readonly string[]): void;
	readonly uncovered: ReadonlySet<string>;
}

export interface Mending {
	readonly keeper: number;
	/** Runs a script as root behind the view. */
	readonly run: (script: string) => { readonly succeeded: boolean; readonly lastLine: string };
}

export function mendView({ covers, masks }: Pick<View, 'covers' | 'masks'>, { keeper, run }: Mending): Mender {
	const list = () => readText(`/proc/${keeper}/mountinfo`);
	// With hidepid, /proc hides the keeper, so root is asked, which is slower.
	const isHidden = list() === null;
	/** Returns null when the keeper ended, because nothing can start then. */
	const findCovered = (paths: readonly string[]) => {
		if (!isHidden) {
			const text = list();
			const mounted = text === null ? null : listMountPoints(text);
			return mounted && paths.filter((path) => mounted.has(path));
		}
		const { succeeded, lastLine } = run(mountedScript(paths));
		return succeeded ? paths.filter((_, at) => lastLine[at] === '1') : null;
	};
	// A path that did not exist was not covered.
	const folders = findCovered(covers.map(({ path }) => path)) ?? [];
	const uncovered = new Set<string>();
	const findGone = (paths: readonly string[]) => {
		const covered = findCovered(paths);
		return covered === null ? [] : paths.filter((path) => !covered.includes(path) && existsSync(path));
	};
	let hidden: readonly string[] = [];
	return {
		uncovered,
		hide(wanted) {
			const script = hideScript(
				hidden.filter((path) => !wanted.includes(path)),
				wanted.filter((path) => !hidden.includes(path)),
			);
			hidden = wanted;
			const { succeeded, lastLine } = script === '' ? { succeeded: true, lastLine: '' } : run(script);
			if (!succeeded) throw uncoveredError(wanted, `this could not be kept from the other side: ${lastLine}`);
		},
		mend() {
			const files = masks.map(({ path }) => path);
			let gone = findGone([...folders, ...files]);
			let why = 'a folder cannot be covered again during a run';
			for (let tries = 0; gone.length > 0; tries++) {
				for (const path of gone) uncovered.add(path);
				if (tries === TRIES || gone.some((path) => !files.includes(path)))
					throw uncoveredError(
						gone,
						`another program replaced this during the run, and it could not be kept from the code under test any more: ${why}`,
					);
				const again = masks.filter(({ path }) => gone.includes(path));
				const { succeeded, lastLine } = run(again.map(maskScript).join('\n'));
				why = succeeded ? 'it is replaced again and again' : lastLine;
				gone = findGone(files);
			}
		},
	};
}

function uncoveredError(paths: readonly string[], message: string): UserError {
	return new UserError({
		code: 'uncovered',
		where: nameAll(paths, NAMED),
		message,
		remedy: 'find out which program does that, and run again without it',
		exitCode: EXIT.nothingMeasured,
	});
}
