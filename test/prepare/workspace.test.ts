import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { preparePinned } from '../../src/prepare/prepare-pinned.ts';
import { configOf, makeFolder, openSetting, printOf, writeFiles } from './support.ts';

const saying = (word: string) => ({ 'servers/shared/words.mjs': `export const WORD = '${word}';` });

function toolWithShared(t: TestContext): string {
	return makeFolder(t, {
		'servers/bare/package.json': { name: 'bare', private: true },
		'servers/bare/server.mjs': `import { WORD } from '../shared/words.mjs'; console.log(WORD);`,
		...saying('one'),
	});
}

test('shared code of servers is installed beside them, and a change of it makes another workspace', async (t) => {
	const toolRoot = toolWithShared(t);
	const { context } = await openSetting(t, { cwd: makeFolder(t), toolRoot });
	const prepare = () => preparePinned(configOf(['bare']), context);
	const first = await prepare();
	assert.equal(printOf(first, 'base', 'bare'), 'one');
	writeFiles(toolRoot, saying('two'));
	assert.equal(printOf(await prepare(), 'head', 'bare'), 'two');
	writeFiles(toolRoot, saying('one'));
	assert.deepEqual(await prepare(), first);
});

test('the folder of shared code is no server', async (t) => {
	const { context } = await openSetting(t, { cwd: makeFolder(t), toolRoot: toolWithShared(t) });
	await assert.rejects(preparePinned(configOf(['shared']), context), { message: /names shared, which is not in/ });
});
