import { execa } from 'execa';
import { readBaseline } from '../../formats/baseline/baseline-file.ts';
import { importBencherMetrics } from '../../formats/baseline/bencher-metrics.ts';
import { importDataJs, importFigures } from '../../formats/baseline/benchmark-action.ts';
import type { Imported } from '../../formats/baseline/imported-record.ts';
import { QUESTION_MS } from '../../process/deadline.ts';
import { readNamedFile } from '../../runs/read-named-file.ts';
import { plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { nameAll } from '../../text/phrase.ts';
import type { BaselineCommit } from '../../types/baseline.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { type StoreFlags, withStore } from './local-store.ts';

export interface ImportFlags extends StoreFlags {
	readonly commit?: string;
}

const NAMED = 10;

/** Adds our own baselines, or those of other tools, to the store. */
export async function runBaselineImport(files: readonly string[], flags: ImportFlags): Promise<number> {
	const commit = flags.commit === undefined ? null : await describeCommit(flags.commit);
	const imported = files.map((file) => readImport(file, commit));
	const records = imported.flatMap((each) => each.records);
	const leftOut = imported.flatMap((each) => each.leftOut);
	for (const { name, why } of leftOut.slice(0, NAMED))
		process.stderr.write(`left out: ${plainText(name, 200)}: ${plainText(why, 200)}\n`);
	if (leftOut.length > NAMED) process.stderr.write(`left out: ${leftOut.length - NAMED} more\n`);
	if (records.length === 0)
		throw new UserError({
			code: 'nothing-to-import',
			where: nameAll(files, NAMED),
			message: 'nothing there can be imported',
			remedy: 'correct what was left out, as named above',
		});
	const { kind, place, added, reason } = await withStore(flags, (store) => store.append(records));
	const duplicates = records.length - added;
	process.stdout.write(
		`${countOf(added, 'baseline')} added to the ${place}${duplicates > 0 ? `; ${duplicates} were there already` : ''}${kind === 'pending' ? `. It waits there: ${plainText(reason ?? '', 200)}` : ''}.\n`,
	);
	return EXIT.passed;
}

function readImport(file: string, commit: BaselineCommit | null): Imported {
	const text = readNamedFile(file);
	const now = new Date().toISOString();
	const foreign =
		importDataJs(text) ?? (commit && (importFigures(text, commit, now) ?? importBencherMetrics(text, commit, now)));
	if (foreign) return foreign;
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	const whole = readBaseline(text, file);
	const read = 'record' in whole ? [whole] : lines.map((line, index) => readBaseline(line, `${file}:${index + 1}`));
	const records = read.flatMap((each) => ('record' in each ? [each.record] : []));
	if (records.length > 0) {
		return {
			records,
			leftOut: read.flatMap((each) => ('unread' in each ? [{ name: each.unread.file, why: each.unread.why }] : [])),
		};
	}
	const placeless = importFigures(text, NOBODY, now) ?? importBencherMetrics(text, NOBODY, now);
	throw new UserError({
		code: 'cannot-import',
		where: file,
		message: placeless
			? 'the file does not name the commit that was measured'
			: 'the file holds nothing that can be imported',
		remedy: placeless
			? 'name the commit: --commit REV'
			: 'give baselines of benchgate, a data.js or JSON of github-action-benchmark, or Bencher Metric Format',
	});
}

const NOBODY: BaselineCommit = {
	...{ sha: null, label: 'unknown', parent: null, position: null },
	...{ committedAt: '1970-01-01T00:00:00Z', title: '', author: null },
};

async function describeCommit(revision: string): Promise<BaselineCommit> {
	const format = '%H%n%P%n%cI%n%an%n%s';
	const patiently = { reject: false, timeout: QUESTION_MS } as const;
	const commitLog = await execa('git', ['log', '-1', `--format=${format}`, '--end-of-options', revision], patiently);
	if (commitLog.failed) {
		throw new UserError({
			code: 'unknown-revision',
			where: '--commit',
			message: `"${revision}" is no commit of the repository here`,
			remedy: 'give a commit, branch or tag, and run it in the repository',
		});
	}
	const [sha = '', parents = '', date = '', author = '', title = ''] = String(commitLog.stdout).split('\n');
	const counted = await execa('git', ['rev-list', '--first-parent', '--count', sha], patiently);
	return {
		sha,
		label: sha.slice(0, 7),
		parent: parents.split(' ')[0] || null,
		position: counted.failed ? null : Number(counted.stdout),
		committedAt: new Date(date).toISOString(),
		title: title.slice(0, 200),
		author: author.slice(0, 200),
	};
}
