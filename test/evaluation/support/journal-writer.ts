/**
 * Program: continues the journal of `journal-series.ts` in the given folder, and reports the rounds that it has
 * written.
 */
import { openJournal } from '../../../evaluation/series-files.ts';
import { journalSeries } from './journal-series.ts';

const [folder = '.'] = process.argv.slice(2);
const series = journalSeries();
const journal = await openJournal(folder, series);
process.stdout.write(`found ${journal.series.rounds.length}\n`);
for (const round of series.rounds.slice(journal.series.rounds.length)) {
	await journal.append(round);
	process.stdout.write(`kept ${round.startedAt}\n`);
}
await journal.finish();
process.stdout.write('finished\n');
