import { baselinePath } from '../../formats/baseline/baseline-file.ts';
import { countOf } from '../../text/numbers.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { type StoreFlags, withStore } from './local-store.ts';

export interface PruneFlags extends StoreFlags {
	readonly before: string;
	readonly yes?: boolean;
}

const NAMED = 20;

/** Removes old levels from the store. Keeps links and closures, because they connect the releases. */
export async function runBaselinePrune(flags: PruneFlags): Promise<number> {
	const before = readDay(flags.before);
	return withStore(flags, async (store) => {
		const old = oldLevels((await store.read()).records, before);
		const paths = old.map(baselinePath).sort();
		const named = [...paths.slice(0, NAMED), ...(paths.length > NAMED ? [`and ${paths.length - NAMED} more`] : [])];
		const list = named.map((line) => `  ${line}\n`).join('');
		if (paths.length === 0) process.stdout.write(`The ${store.name} has no levels from before ${flags.before}.\n`);
		else if (flags.yes !== true) {
			process.stdout.write(
				`${list}Nothing was removed. To remove ${countOf(paths.length, 'baseline')} from the ${store.name}, add --yes.\n`,
			);
		} else {
			await store.remove(paths);
			process.stdout.write(
				`${list}Removed ${countOf(paths.length, 'baseline')} from the ${store.name}; its git history keeps them.\n`,
			);
		}
		return EXIT.passed;
	});
}

function oldLevels(records: readonly BaselineRecord[], before: string): readonly BaselineRecord[] {
	return records.filter(({ purpose, createdAt }) => purpose === 'level' && createdAt.slice(0, 10) < before);
}

function readDay(text: string): string {
	if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
	throw new UserError({
		code: 'bad-day',
		where: '--before',
		message: `"${text}" is not a day`,
		remedy: 'write it as 2026-01-31',
	});
}
