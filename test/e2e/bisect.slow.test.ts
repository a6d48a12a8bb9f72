/** A real bisect: a repository of five commits, one of which answers with less than half the speed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { assertExit, assertNoProcess, configOf, makePlayground } from '../support/cli.ts';

/** Numbers of the commits that change something, and of the last; number 0 is good. */
const [BROKEN, SLOW, WORDS, LAST] = [1, 3, 4, 5];
const playground = makePlayground({ after });
const git = (...args: string[]) =>
	execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.invalid', ...args], {
		cwd: playground.folder,
		encoding: 'utf8',
	}).trim();

/** A server that computes this many turns for each answer. */
function serverOf(spins: number, note: string): string {
	return `// ${note}
import { createServer } from 'node:http';
const server = createServer((request, response) => {
	let sum = 0;
	for (let at = 0; at < ${spins}; at++) sum += Math.sqrt(at + sum);
	response.setHeader('content-type', 'application/json');
	response.end(sum < 0 ? '{}' : '{"ok":true}');
});
server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;
}

const shas: string[] = [];
git('init', '--quiet', '--initial-branch=main');
for (let commit = 0; commit <= LAST; commit++) {
	const broken = commit === BROKEN ? 'throw new Error("not ready");\n' : '';
	const spins = commit >= SLOW ? 60_000 : 10_000;
	playground.write({
		...(commit === WORDS ? { 'README.md': 'Faster!' } : { 'server.mjs': broken + serverOf(spins, `commit ${commit}`) }),
		'benchgate.yml': configOf([{ name: 'api', command: 'node server.mjs' }]),
	});
	git('add', '--all');
	git('commit', '--quiet', '--message', `Commit number ${commit}`);
	shas.push(git('rev-parse', 'HEAD'));
}
// Every probe is a comparison that would create users for its sides; test/act has a bisect that does.
const FLAGS = '--scenario ok --seed 7 --isolation none'.split(' ');
const ASK = ['bisect', '--good', shas[0] as string, '--bad', 'main', ...FLAGS];

test('it continues after a kill, names the commit that made it slower, and proves it', async () => {
	const first = playground.start(ASK);
	await first.says(/ % against good/);
	first.process.kill('SIGKILL');
	await first.ended;
	await assertNoProcess(playground);

	const run = await playground.run(ASK);
	assertExit(run, 0);
	assert.match(run.stderr, /Going on with what .* has kept: \d probes?/);
	const named = (shas[SLOW] as string).slice(0, 12);
	const beforeIt = (shas[SLOW - 1] as string).slice(0, 12);
	assert.ok(run.stdout.startsWith(`FOUND  First bad commit: ${named} (`), run.stdout);
	assert.match(run.stdout, /Commit number 3 \(Ada, /);
	assert.ok(run.stdout.includes(`Proof: a new comparison of ${beforeIt} with ${named} shows `), run.stdout);
	assert.equal(git('status', '--porcelain'), '', 'the checkout is as it was');
	assert.equal(git('worktree', 'list').split('\n').length, 1);
	await assertNoProcess(playground);
});

test('a finished bisect repeats its result without measuring', async () => {
	const run = await playground.run([...ASK, '--markdown', 'bisect.md', '--html', 'bisect.html']);
	assertExit(run, 0);
	assert.match(playground.read('bisect.md'), /^### ✅ Found: First bad commit: /);
	assert.match(playground.read('bisect.html'), /<p class="outcome">.* Found<\/p>/);
	assert.ok(run.stdout.startsWith('FOUND  First bad commit: '));
	assert.doesNotMatch(run.stderr, / % against good/);
});

test('two ends with the same program are reported as such', async () => {
	const run = await playground.run([
		'bisect',
		'--good',
		shas[SLOW] as string,
		'--bad',
		shas[WORDS] as string,
		...FLAGS,
	]);
	assertExit(run, 1);
	assert.match(run.stdout, /^NO CHANGE {2}\w{12} has the same packed code as /);
});
