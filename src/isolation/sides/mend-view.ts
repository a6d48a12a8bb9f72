/** Covers again what somebody replaces while a run goes on: the kernel takes a mount off whatever is removed, in all mount namespaces. */
import { existsSync } from 'node:fs';
import { readText } from '../../process/process-tree.ts';
import { nameAll } from '../../text/phrase.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { hideScript, listMountPoints, maskScript, mountedScript, type View } from '../view-script.ts';

/** How often something is covered again at one look: whoever replaces a file needs a moment for it. */
const TRIES = 3;
/** Paths an error names; the rest is counted. */
const NAMED = 3;

export interface Mender {
	/**
	 * To be called before anything is started behind the view. Covers files again that are seen although others should be in their
	 * place. Throws UserError `uncovered` when that fails, or when a folder is seen that should look empty.
	 */
	mend(): void;
	/**
	 * Makes these folders look empty and inaccessible, and reveals the ones hidden before. No server may run behind the view. Throws
	 * UserError `uncovered` on failure.
	 */
	hide(folders: readonly string[]): void;
	/** What was ever found uncovered. */
	readonly uncovered: ReadonlySet<string>;
}

export interface Mending {
	/** A process that keeps the view. */
	readonly keeper: number;
	/** Runs a script as root behind the view. */
	readonly run: (script: string) => { readonly succeeded: boolean; readonly lastLine: string };
}

/** Returns what looks after a view that stands. */
export function mendView({ covers, masks }: Pick<View, 'covers' | 'masks'>, { keeper, run }: Mending): Mender {
	const list = () => readText(`/proc/${keeper}/mountinfo`);
	// Where /proc shows us no processes of others (hidepid), root is asked, which takes longer.
	const isHidden = list() === null;
	/** Null when whoever kept the view has ended: nothing can be started behind it any more. */
	const findCovered = (paths: readonly string[]) => {
		if (!isHidden) {
			const text = list();
			const mounted = text === null ? null : listMountPoints(text);
			return mounted && paths.filter((path) => mounted.has(path));
		}
		const { succeeded, lastLine } = run(mountedScript(paths));
		return succeeded ? paths.filter((_, at) => lastLine[at] === '1') : null;
	};
	// A place that was not there was not covered.
	const folders = findCovered(covers.map(({ path }) => path)) ?? [];
	const uncovered = new Set<string>();
	/** What is not there at all shows nothing. */
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
