/**
 * Servers whose packages some registries lack, installed by the real override: the whole contract if
 * BENCHGATE_TEST_PACKAGES names the places of the packages (like `--package`), else the error without them.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { hasPackage } from '../../src/config/catalogue.ts';
import { loadServers } from '../../src/config/load-catalogue.ts';
import { PACKAGES } from '../../src/config/options/option-kinds.ts';
import { ask } from '../../src/measure/answers/ask.ts';
import { startCommand } from '../../src/prepare/builtin-servers.ts';
import { preparePinned } from '../../src/prepare/prepare-pinned.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import { EXIT } from '../../src/types/errors.ts';
import { configOf, userError } from '../prepare/support.ts';
import { startBuiltin, startFolder } from '../support/servers/installed-server.ts';
import { nodeFor } from '../support/servers/node-for-server.ts';
import { describeServer, scenarios, TIMEOUT } from './contract.ts';
import { assertSameDocuments, documentsOf, type Told } from './same-documents.ts';

const catalogue = await loadServers(TOOL_ROOT);
const given = PACKAGES.parse(process.env.BENCHGATE_TEST_PACKAGES ?? '') ?? [];
const cacheFolder = mkdtempSync(join(tmpdir(), 'benchgate-wrapped-'));
const janitor = await startJanitor();
after(async () => {
	await janitor.close();
	rmSync(cacheFolder, { recursive: true, force: true });
});
const context = {
	...{ cwd: TOOL_ROOT, toolRoot: TOOL_ROOT, cacheFolder, node: process.execPath, janitor },
	progress: { step: () => {}, status: () => {} },
	signal: new AbortController().signal,
};
const told: Told[] = [];

for (const server of catalogue.filter(({ unserved }) => unserved !== undefined)) {
	const packages = given.filter(({ name }) => hasPackage(server, name));
	const choice = nodeFor(server);
	const node = 'node' in choice ? choice.node : context.node;
	const prepare = () => preparePinned({ ...configOf([server.name]), packages }, { ...context, node });
	if (packages.some(({ name }) => server.unserved?.includes(name))) {
		describeServer(server, {
			told,
			given: async () => {
				const { manifest, name } = server;
				const folder = (await prepare()).sides.base.servers[name]?.cwd ?? '';
				return startFolder(name, folder, { argv: startCommand(manifest, { node, folder }) });
			},
		});
	} else if (['ergo', 'pikku-express-middleware', 'vext-native'].includes(server.name)) {
		describe(server.name, () => {
			test('is installed if the registry serves it, else names the missing package', async (t) => {
				const installed = prepare().then(({ installs }) => installs);
				const refused = await userError(installed).catch(() => null);
				if (refused === null) return t.diagnostic(`the registry serves it: ${await installed} packages`);
				assert.equal(refused.code, 'not-installed');
				assert.equal(refused.exitCode, EXIT.nothingMeasured);
				assert.ok(
					server.unserved?.some((name) => refused.remedy?.includes(`--package ${name}=`)),
					refused.remedy,
				);
			});
		});
	}
}

test('they answer the same documents as node-http, and errors with the same status', async (t) => {
	if (told.length === 0) return t.skip('BENCHGATE_TEST_PACKAGES gives none');
	const declared = catalogue.find(({ name }) => name === 'node-http');
	assert.ok(declared);
	await using reference = await startBuiltin(declared.name);
	const documents = await documentsOf(declared, scenarios.values(), (request) =>
		ask(reference.origin, request, TIMEOUT),
	);
	assertSameDocuments([{ declared, documents }, ...told]);
});
