/** A side cannot send requests to its rival's server if nft exists and the kernel allows it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../src/measure/ports.ts';
import { asRoot, BOTH_WAYS, makeOrdinaryUser, whyNoPortGuard } from '../support/ordinary-user.ts';
import { openClient } from './isolation-client.ts';

const user = await makeOrdinaryUser();
const skip = (await whyNoPortGuard()) ?? false;

const ask = (port: number) =>
	`node -e 'fetch("http://127.0.0.1:${port}").then((a) => a.text()).then(console.log, (e) => console.log(e.cause.code))'`;

function tables(): string {
	const [program = '', ...args] = asRoot(['nft', 'list', 'tables']);
	return execFileSync(program, args, { encoding: 'utf8' });
}

for (const who of BOTH_WAYS) {
	for (const end of ['close', 'kill -9'] as const) {
		test(`${who}: a side's requests to its rival are refused, all others are not, and ${end} leaves no rule`, {
			skip,
		}, async (t) => {
			const folder = realpathSync(mkdtempSync('/var/tmp/benchgate-ports-'));
			const root = (...argv: readonly string[]) => {
				const [program = '', ...args] = asRoot(argv);
				execFileSync(program, args);
			};
			t.after(() => root('rm', '-rf', folder));
			mkdirSync(join(folder, 'cache'));
			if (who === 'sudo') root('chown', '-R', user.name, folder);
			const iso = await openClient(t, { who, user, folder: join(folder, 'cache') });
			assert.deepEqual([iso.level, iso.refusesRival], ['users', true]);
			const port = await findFreePort();
			await iso.order({ do: 'listens', side: 'base', port });
			const serve = `exec node -e 'require("http").createServer((q, a) => a.end("base")).listen(${port}, "127.0.0.1", () => console.log("ready"))'`;
			await iso.start('base', serve);
			const request = async () => (await iso.run('head', ask(port))).stdout.trim();
			// The rule is not in force yet.
			while ((await request()) !== 'ECONNREFUSED') await delay(50);
			assert.equal((await iso.run('base', ask(port))).stdout, 'base\n');
			assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), 'base');
			// Drawn again, for the other side.
			await iso.order({ do: 'listens', side: 'head', port });
			while ((await request()) !== 'base') await delay(50);
			const name = `benchgate_${iso.uids.base}`;
			assert.ok(tables().includes(name));
			if (end === 'close') await iso.close();
			else {
				process.kill(iso.pid, 'SIGKILL');
				await once(iso.host, 'exit');
			}
			while (tables().includes(name)) await delay(50);
		});
	}
}
