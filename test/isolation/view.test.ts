import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { toolFolders } from '../../src/isolation/collect-view-facts.ts';
import { areReadOnly, keepView, whyExposed } from '../../src/isolation/keep-view.ts';
import { planView, type ViewFacts } from '../../src/isolation/plan-view.ts';
import { openMounts, READY, viewScript } from '../../src/isolation/view-script.ts';
import { asRoot, nodeForAll, readableByAll } from '../support/ordinary-user.ts';

const FACTS: ViewFacts = {
	hidden: ['/home/me'],
	needed: ['/home/me/.nvm/v24', '/usr', '/data/deep/tools'],
	closed: ['/data', '/home/me'],
	writable: ['/home/me/.cache/benchgate'],
	temporary: '/home/me/.cache/benchgate/sides/1/temporary',
	temporaryPlaces: ['/tmp', '/var/tmp'],
	memoryPlaces: ['/dev/shm'],
	masks: [],
	swaps: [],
	stages: ['/mnt', '/srv'],
	processes: 'of-user',
};

test('homes, closed folders and temporary places are covered; needed folders show through', () => {
	const view = planView(FACTS);
	assert.deepEqual(
		view?.covers.map(({ path, mode }) => [path, mode]),
		[
			['/tmp', '1777'],
			['/var/tmp', '1777'],
			['/dev/shm', '1777'],
			['/home/me', '0755'],
			['/data', '0755'],
		],
	);
	assert.deepEqual(view?.shown, ['/home/me/.nvm/v24', '/usr', '/data/deep/tools']);
	assert.equal(view?.stage, '/mnt');
});

test('a place that is needed itself is not covered, nor any place in it', () => {
	const view = planView({
		...FACTS,
		hidden: ['/home/me'],
		needed: ['/home/me', '/tmp'],
		closed: ['/home/me/a'],
		writable: [],
	});
	assert.deepEqual(
		view?.covers.map(({ path }) => path),
		['/var/tmp', '/dev/shm'],
	);
});

test('a file inside a covered folder is not masked; one that shows through is', () => {
	const [hidden, shown, outside] = ['/home/me/code/.npmrc', '/data/deep/tools/.git/config', '/srv/code/.npmrc'];
	const masks = [hidden, shown, outside].map((path) => ({ path, by: '/home/me/.cache/benchgate/nothing' }));
	const view = planView({ ...FACTS, masks });
	assert.deepEqual(
		view?.masks.map(({ path }) => path),
		[shown, outside],
	);
});

test('a closed folder among temporary files is covered with them', () => {
	const view = planView({ ...FACTS, closed: ['/tmp/mine'], needed: ['/tmp/mine/node'] });
	assert.deepEqual(
		view?.covers.map(({ path }) => path),
		['/tmp', '/var/tmp', '/dev/shm', '/home/me'],
	);
});

test('the stage is at an unneeded place, and without one there is no view', () => {
	assert.equal(planView({ ...FACTS, needed: ['/mnt/node'] })?.stage, '/srv');
	assert.equal(planView({ ...FACTS, stages: ['/home', '/data'] }), null);
});

test('places that stayed writable below a covered folder do not count', () => {
	const view = planView(FACTS);
	assert.ok(view);
	const output = `open /home/me/disk\nopen /opt\n${READY} 7\n`;
	assert.deepEqual(openMounts(output, view), ['/opt']);
});

/** Runs a script as root behind the view of these facts, with a command in place of the one that keeps it. */
function lookAround(t: TestContext, facts: Partial<ViewFacts>, command: string) {
	const view = planView({ ...FACTS, hidden: [], closed: [], needed: [], writable: [], temporaryPlaces: [], ...facts });
	assert.ok(view);
	const script = viewScript(view).replace('exec cat >/dev/null', command);
	const argv = asRoot(['unshare', '--mount', '--propagation', 'private', '--', '/bin/sh', '-c', script]);
	const [program = '', ...args] = argv;
	const outcome = spawnSync(program, args, { encoding: 'utf8', input: '' });
	t.diagnostic(outcome.stderr);
	return outcome;
}

test('names with blanks, quotes and dollars are plain names, and nothing is visible outside', (t) => {
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate-view-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const hidden = join(folder, 'a b\'c$(touch x)"d');
	const needed = join(hidden, 'needed `here`');
	const temporary = join(folder, 'temporary');
	mkdirSync(needed, { recursive: true });
	mkdirSync(temporary);
	writeFileSync(join(hidden, 'secret'), 'secret');
	writeFileSync(join(needed, 'tool'), 'tool');
	const facts = { hidden: [hidden], needed: [needed], temporary, temporaryPlaces: [], memoryPlaces: [], writable: [] };
	const { stdout, status } = lookAround(
		t,
		facts,
		'cd "$SEEN" && ls && cat */tool && ! touch */new 2>/dev/null'.replace(
			'$SEEN',
			hidden.replaceAll(/([$"`])/g, '\\$1'),
		),
	);
	assert.deepEqual([stdout.split('\n').slice(1), status], [['needed `here`', 'tool'], 0]);
	assert.equal(spawnSync('cat', [join(hidden, 'secret')], { encoding: 'utf8' }).stdout, 'secret');
});

test('even root can write only temporary files behind the view', (t) => {
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate-view-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const places = { temporary: folder, temporaryPlaces: ['/tmp', '/var/tmp'] };
	const command =
		'for f in /usr /etc /opt /home /var /root /mnt; do touch $f/benchgate-view 2>/dev/null && echo "$f"; done; touch /tmp/one && ls /var/tmp';
	const { stdout } = lookAround(t, places, command);
	assert.deepEqual(stdout.trim().split('\n').slice(1), ['one']);
	assert.equal(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout, 'one\n');
});

const SYSTEM = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Keeps a view in which `masked` replaces a file, with other programs first on the PATH of its builder, by name. */
async function keepMasked(
	t: TestContext,
	programsOf: (folder: string, target: string) => Readonly<Record<string, string>>,
) {
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate view-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const [target = '', by = '', programs = ''] = ['target file', 'by', 'programs'].map((name) => join(folder, name));
	writeFileSync(target, 'secret');
	writeFileSync(by, 'masked');
	mkdirSync(programs);
	for (const [name, script] of Object.entries(programsOf(folder, target))) {
		const real = `exec env PATH=${SYSTEM} ${name} "$@"`;
		writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n${real}\n`, { mode: 0o755 });
	}
	const plan = { hidden: [], closed: [], needed: [], writable: [], temporaryPlaces: [], memoryPlaces: [] };
	const view = planView({ ...FACTS, ...plan, temporary: folder, masks: [{ path: target, by }] });
	assert.ok(view);
	const unshare = asRoot(['unshare', '--mount', '--propagation', 'private', '--']);
	const kept = await keepView([...unshare, 'env', `PATH=${programs}:${SYSTEM}`], view);
	const [program = '', ...args] = asRoot(['nsenter', '--target', String(kept.pid), '--mount', 'cat', target]);
	const seen = spawnSync(program, args, { encoding: 'utf8' }).stdout;
	await kept.close();
	return { reason: whyExposed([kept])?.replace(target, 'target') ?? null, readOnly: areReadOnly([kept]), seen };
}

/** Replaces the file from outside as often as `times`, once everything is in place: then the stage is removed. */
const replaced = (times: number) => (folder: string, target: string) => {
	const outside = `nsenter --target ${process.pid} --mount`;
	const umount = `seen=$(cat '${folder}/seen' 2>/dev/null || echo 0)
if [ "$seen" -lt ${times} ]; then
echo $((seen + 1)) >'${folder}/seen'
${outside} cp '${target}' '${folder}/new'; ${outside} mv '${folder}/new' '${target}'
fi`;
	return { umount };
};

test('a file that is replaced while it is being covered is covered again', async (t) => {
	assert.deepEqual(await keepMasked(t, replaced(1)), { reason: null, readOnly: true, seen: 'masked' });
});

test('a file that is replaced again and again is named', async (t) => {
	const expected = { reason: 'was replaced again and again: target', readOnly: false, seen: 'secret' };
	assert.deepEqual(await keepMasked(t, replaced(100)), expected);
});

test('without a mountable /proc, as in containers that cover parts of theirs, only the processes stay visible', async (t) => {
	const mount = 'case "$*" in *"-t proc"*) echo "mount: /proc: permission denied." >&2; exit 32;; esac';
	const expected = { reason: 'other processes could not be hidden', readOnly: true, seen: 'masked' };
	assert.deepEqual(await keepMasked(t, () => ({ mount })), expected);
});

test('a folder of one’s own replaces another, even a covered one, and can be written', (t) => {
	const folder = realpathSync(mkdtempSync('/var/tmp/benchgate-view-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const [temporary, hidden, first, ownFolder, inner] = ['temporary', 'hidden', 'first', 'own', 'hidden/inner'].map(
		(name) => join(folder, name),
	) as [string, string, string, string, string];
	for (const path of [temporary, inner, first, ownFolder]) mkdirSync(path, { recursive: true });
	writeFileSync(join(first, 'theirs'), '');
	writeFileSync(join(inner, 'secret'), '');
	const places = {
		temporary,
		temporaryPlaces: [],
		hidden: [hidden],
		writable: [first],
		swaps: [
			{ path: first, by: ownFolder },
			{ path: inner, by: ownFolder },
		],
	};
	const { stdout, status } = lookAround(
		t,
		places,
		`ls '${first}'; touch '${inner}/mine' && ls '${first}' '${hidden}'/*`,
	);
	assert.deepEqual(
		[
			stdout
				.trim()
				.split('\n')
				.slice(1)
				.filter((line) => !/:$|^$/.test(line)),
			status,
		],
		[['mine', 'mine'], 0],
	);
	assert.deepEqual([readdirSync(first), readdirSync(ownFolder)], [['theirs'], ['mine']]);
});

test('a temporary place inside of another one is covered with it', () => {
	const view = planView({ ...FACTS, temporaryPlaces: ['/tmp', '/tmp/mine/tmp', '/var/tmp'] });
	assert.deepEqual(
		view?.covers.map(({ path }) => path),
		['/tmp', '/var/tmp', '/dev/shm', '/home/me', '/data'],
	);
});

test('programs on PATH are shown with the targets of their links, and nothing else of a home', (t) => {
	const home = realpathSync(mkdtempSync('/var/tmp/benchgate-home-'));
	t.after(() => rmSync(home, { recursive: true }));
	for (const path of [
		'setup/node_modules/.bin',
		'setup/node_modules/pnpm/bin',
		'.local/bin',
		'.cargo/bin',
		'.nvm/v24/bin',
	])
		mkdirSync(join(home, path), { recursive: true });
	writeFileSync(join(home, 'script'), '');
	symlinkSync('../pnpm/bin', join(home, 'setup/node_modules/.bin/folder'));
	symlinkSync('../../script', join(home, '.local/bin/script'));
	writeFileSync(join(home, '.nvm/v24/bin/node'), '');
	symlinkSync('../../.nvm/v24/bin/node', join(home, '.local/bin/node'));
	const onPath = ['setup/node_modules/.bin', '.local/bin', '.cargo/bin'].map((path) => join(home, path));
	const shown = toolFolders([...onPath, home, '/usr/bin'], home).map((path) => path.replace(home, '~'));
	assert.deepEqual(
		[...new Set(shown)].sort(),
		['~/.cargo/bin', '~/.local/bin', '~/.nvm/v24', '~/setup/node_modules', '~/setup/node_modules/pnpm', '/usr'].sort(),
	);
});

test('a view also works for a uid without an account, as in containers', () => {
	const request = { folder: '/', needed: [], temporary: '/tmp', masks: [], writable: [], processes: 'shared' };
	const module = readableByAll('src/isolation/collect-view-facts.ts');
	const script = `import { collectViewFacts } from ${JSON.stringify(module)}; console.log(collectViewFacts(${JSON.stringify(request)}).hidden[0])`;
	const node = [nodeForAll(), '--input-type=module', '--eval', script];
	const [program = '', ...args] = asRoot([
		'setpriv',
		'--reuid',
		'61234',
		'--clear-groups',
		'env',
		'HOME=/usr',
		...node,
	]);
	const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
	assert.equal(stdout, '/usr\n', stderr);
});
