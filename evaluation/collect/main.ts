/**
 * Measures the series of the agenda that are not there yet. Interrupting it loses no finished round; the next call goes on.
 * Options: --minutes N (stop after so long), --only TEXT (series whose name contains it), --data FOLDER, --list.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { isFinished } from '../series-files.ts';
import { collect, selectItems } from './collect.ts';

const { values: flags } = parseArgs({
	options: {
		minutes: { type: 'string', default: 'Infinity' },
		only: { type: 'string', default: '' },
		data: { type: 'string', default: join(TOOL_ROOT, 'docs', 'evaluation', 'data') },
		list: { type: 'boolean', default: false },
	},
});

if (flags.list) {
	for (const { id } of selectItems(flags.only)) {
		console.log(`${isFinished(flags.data, id) ? 'finished' : 'missing '} ${id}`);
	}
} else {
	const stop = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error('interrupted')));
	const { begun } = await collect({
		folder: flags.data,
		only: flags.only,
		minutes: Number(flags.minutes),
		signal: stop.signal,
		say: (text) => console.error(text),
	});
	if (stop.signal.aborted && begun) console.error(`${begun.id}: ${begun.rounds} rounds are kept`);
}
