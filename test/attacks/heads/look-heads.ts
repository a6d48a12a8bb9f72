/** Heads that look for differences between the sides, and for writable parts of the run. */
import assert from 'node:assert/strict';
import { type Attack, LOOT } from '../attack.ts';
import { BUILD, server } from '../victim.ts';

/** Everything a process can learn about itself, its location and its parent. */
const LOOK_AT_ITSELF = `
import { writeFileSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
const attempt = (look) => { try { return look(); } catch (error) { return error.code; } };
const seen = { argv: process.argv, env: process.env, cwd: process.cwd(), uid: process.getuid(), groups: process.getgroups() };
for (const file of ['self/cmdline', 'self/cgroup', 'self/status', 'self/autogroup', process.ppid + '/cmdline', process.ppid + '/cgroup'])
	seen[file] = attempt(() => readFileSync('/proc/' + file, 'latin1'));
// Only benchgate's mounts.
seen.mounts = attempt(() => readFileSync('/proc/self/mountinfo', 'latin1').split('\\n').filter((line) => line.includes('benchgate')));
for (const fd of attempt(() => readdirSync('/proc/self/fd'))) seen['fd ' + fd] = attempt(() => readlinkSync('/proc/self/fd/' + fd));
seen.temporary = attempt(() => readdirSync(process.env.TMPDIR));
writeFileSync('${LOOT}/seen-' + process.pid + '.json', JSON.stringify(seen));
`;

/** Opens for writing without writing, to leave unprotected tools unchanged. */
const OPEN_TOOLS = `
import { appendFileSync, closeSync, openSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
const tell = (what, path) => appendFileSync('${LOOT}/tools.txt', what + ' ' + path + '\\n');
function open(path, flags) {
	try { closeSync(openSync(path, flags)); tell('opened', path); } catch (error) { tell(error.code, path); }
}
const list = (folder) => { try { return readdirSync(folder).map((name) => join(folder, name)); } catch { return []; } };
for (const folder of process.env.PATH.split(':'))
	for (const name of ['node', 'npm', 'git', 'tar', 'sh'])
		try { open(realpathSync(join(folder, name)), 'r+'); } catch {}
const cache = dirname('${LOOT}');
const own = process.cwd();
for (const kind of ['tarballs', 'workspaces', 'checkouts', 'runtimes', 'logs', 'sides'])
	for (const path of [join(cache, kind), ...list(join(cache, kind))])
		if (!own.startsWith(path + '/') && path !== own && !/\\.(json|log|lock)$/.test(path)) open(join(path, 'planted'), 'wx');
		else if (/\\.json$/.test(path)) open(path, 'r+');
// Of the other side, the files of its program.
for (const path of list(join(cache, 'checkouts')))
	if (path !== own && !path.includes('.')) open(join(path, 'lib', 'app.mjs'), 'r+');
`;

export const LOOK_HEADS: readonly Attack[] = [
	{
		does: 'looks for the name of its side in all that it sees of itself',
		files: { 'bench/server.mjs': server(LOOK_AT_ITSELF) },
		ends: { users: 'honest', none: 'honest' },
		check: ({ loot }) => {
			assert.match(loot, /"PORT":"\d+"/);
			assert.doesNotMatch(loot, /(?<![a-z])(?:base|head)(?![a-z])/i);
		},
	},
	{
		does: "opens tools, caches and base's files for writing",
		files: { 'build.mjs': `${OPEN_TOOLS}${BUILD}` },
		ends: { users: 'honest' },
		check: ({ loot }) => {
			assert.match(loot, /^(?:EACCES|EROFS|EPERM) .*npm/m);
			assert.match(loot, /^(?:EACCES|EROFS|EPERM) .*planted$/m);
			assert.doesNotMatch(loot, /^opened/m);
		},
	},
];
