/**
 * Services with a database, from the text of docs/tutorials/service-database.md: a pull request with more queries is
 * found.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertExit, type Comparison, compareSides, type Files } from '../../support/cli.ts';
import { filesOfTutorial, type Shown } from '../../support/pages/tutorial.ts';
import { NO_POSTGRES, startPostgres } from '../../support/servers/postgres.ts';

const PAGE = 'service-database.md';
const OF_HEAD = 'notes.js, as the pull request has it';

/** The example as in base, and with the pull request's lines in head. */
function sidesOf(shown: Shown, config = (text: string) => text): Files {
	const files: Record<string, string> = {};
	for (const name of ['package.json', 'server.js', 'notes.js', 'migrate.js']) {
		const content = shown.get(name);
		assert.ok(content, `${PAGE} shows no ${name}`);
		files[`base/${name}`] = content;
		files[`head/${name}`] = content;
	}
	files['head/notes.js'] = shown.get(OF_HEAD) ?? '';
	files['benchgate.yml'] = config(shown.get('benchgate.yml') ?? '');
	return files;
}

/** A busy machine may leave it open, but never calls ten more queries harmless. */
async function findQueries(t: TestContext, files: Files): Promise<Comparison> {
	const comparison = await compareSides(t, files, '240s');
	const { run, row } = comparison;
	assert.deepEqual(
		row.warnings.filter(({ side }) => side),
		[],
		run.stdout,
	);
	assert.ok(row.verdict === 'regressed' || row.verdict === 'inconclusive', run.stdout);
	assertExit(run, row.verdict === 'regressed' ? 1 : 0);
	t.diagnostic(
		`${row.verdict} ${row.change} by ${row.judgedBy}, rounds ${row.rounds}, ${row.warnings.map(({ code }) => code).join(' ')}`,
	);
	return comparison;
}

test('SQLite: a file for each process, and ten queries more are found', async (t) => {
	await findQueries(t, sidesOf(filesOfTutorial(PAGE, 'The service', 'SQLite')));
});

test('PostgreSQL: a database for each process, and ten queries more are found', { skip: NO_POSTGRES }, async (t) => {
	const postgres = await startPostgres(t);
	const shown = filesOfTutorial(PAGE, 'The service', 'PostgreSQL');
	const port = (text: string) => text.replace('PGHOST:', `PGPORT: "${postgres.port}", PGHOST:`);
	const { result } = await findQueries(t, sidesOf(shown, port));
	assert.deepEqual(postgres.databases(), [], 'none is left');
	assert.deepEqual(
		result.warnings.filter(({ code }) => code === 'stop-failed'),
		[],
	);
});
