/** A repository whose head attacks the installation of base. */
import type { TestContext } from 'node:test';
import { commit, makeFolder, openSetting, type Setting, tinyFramework, tinyTool } from './support.ts';

/** A repository whose tag `v2` runs `attack` while it is built; a build runs in `checkouts/KEY` of the cache. */
export async function attacked(t: TestContext, attack: string, npm?: string): Promise<Setting> {
	const cwd = makeFolder(t);
	const files = tinyFramework('1.0.0');
	commit(cwd, 'v1', files);
	commit(cwd, 'v2', {
		'index.js': `module.exports = '2.0.0';`,
		'build.js': `${files['build.js']}
const path = require('node:path');
const cache = path.resolve('../..');
const find = (kind, inside) => fs.readdirSync(path.join(cache, kind)).map((name) => path.join(cache, kind, name, inside)).filter((file) => fs.existsSync(file));
${attack}`,
	});
	return openSetting(t, { cwd, toolRoot: tinyTool(t), ...(npm === undefined ? {} : { npm }) });
}
