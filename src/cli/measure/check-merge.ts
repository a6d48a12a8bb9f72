/** What runs that are put together may be told, and what they may not. */
import { entriesOf } from '../../config/measure/runtime-entries.ts';
import { flagOf, type OptionName, type OptionTexts, optionsOf } from '../../config/option-names.ts';
import { flagsError, readFlags } from '../../config/read-flags.ts';
import { didYouMean } from '../../config/suggest.ts';

/** What is set against each other can be said afterwards; how it is measured cannot. */
const AFTERWARDS: readonly OptionName[] = ['highlight', 'wraps', 'percentOf'];

/** Throws a UserError that names every flag that has no effect where runs are only put together. */
export function checkMergeFlags(flags: OptionTexts & { readonly out?: string | undefined }): void {
	const names = optionsOf('measure').map(([name]) => name);
	const given = names.filter((name) => (flags[name]?.trim() ?? '') !== '' && !AFTERWARDS.includes(name));
	const complaints = [
		...given.map((name) => `${flagOf(name)}: not with --merge; nothing is measured`),
		...(flags.out === undefined ? [] : ['--out: not with --merge; name the files you want, as with --html FILE']),
	];
	if (complaints.length > 0) throw flagsError(complaints);
}

/** Throws a UserError for names among `AFTERWARDS` that none of the servers of the runs has. */
export function checkMergeNames(flags: OptionTexts, servers: readonly string[]): void {
	const complaints: string[] = [];
	const {
		highlight,
		wraps = {},
		percentOf = [],
	} = readFlags(flags, (flag, message) => {
		if (AFTERWARDS.includes(flag)) complaints.push(`${flagOf(flag)} ${flags[flag]}: ${message}`);
	});
	const check = (flag: OptionName, name: string): void => {
		if (entriesOf(servers, name).length > 0) return;
		complaints.push(`${flagOf(flag)} ${name}: it is not among the servers${didYouMean(name, servers)}`);
	};
	if (highlight !== undefined) check('highlight', highlight);
	for (const name of Object.entries(wraps).flat()) check('wraps', name);
	for (const name of percentOf) check('percentOf', name);
	if (complaints.length > 0) throw flagsError(complaints);
}
