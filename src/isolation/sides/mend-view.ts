/** Covers again what somebody replaces while a run goes on: the kernel takes a mount off whatever is removed, in all mount namespaces. */
import { existsSync } from 'node:fs';
import { readText } from '../../process/process-tree.ts';
import { nameAll } from '../../text/name-all.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { listMountPoints, maskScript, type View } from '../view-script.ts';

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
	const list = () => {
		const text = readText(`/proc/${keeper}/mountinfo`);
		// Whoever kept it has ended, and nothing can be started behind it any more.
		return text === null ? null : listMountPoints(text);
	};
	const first = list();
	// A place that was not there was not covered.
	const folders = covers.map(({ path }) => path).filter((path) => first?.has(path));
	const uncovered = new Set<string>();
	/** What is not there at all shows nothing. */
	const findGone = (paths: readonly string[]) => {
		const mounted = list();
		return mounted === null ? [] : paths.filter((path) => !mounted.has(path) && existsSync(path));
	};
	return {
		uncovered,
		mend() {
			const files = masks.map(({ path }) => path);
			let gone = findGone([...folders, ...files]);
			let why = 'a folder cannot be covered again during a run';
			for (let tries = 0; gone.length > 0; tries++) {
				for (const path of gone) uncovered.add(path);
				if (tries === TRIES || gone.some((path) => !files.includes(path))) throw uncoveredError(gone, why);
				const again = masks.filter(({ path }) => gone.includes(path));
				const { succeeded, lastLine } = run(again.map(maskScript).join('\n'));
				why = succeeded ? 'it is replaced again and again' : lastLine;
				gone = findGone(files);
			}
		},
	};
}

function uncoveredError(paths: readonly string[], why: string): UserError {
	return new UserError({
		code: 'uncovered',
		where: nameAll(paths, NAMED),
		message: `another program replaced this during the run, and it could not be kept from the code under test any more: ${why}`,
		remedy: 'find out which program does that, and run again without it',
		exitCode: EXIT.nothingMeasured,
	});
}
