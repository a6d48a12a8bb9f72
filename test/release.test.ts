/**
 * The publishing steps, in a shell as a runner starts it: git and npm are real, but gh, npm view and npm publish record
 * their arguments.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { runGit } from './support/act/tiny-framework.ts';

const FILE = fileURLToPath(new URL('../.github/workflows/release.yml', import.meta.url));
const TAG = 'v1.2.3';

interface Release {
	readonly jobs: { readonly publish: { readonly steps: readonly { name?: string; run?: string }[] } };
}

const { steps } = (parse(readFileSync(FILE, 'utf8')) as Release).jobs.publish;
const scriptOf = (name: string): string => steps.find((step) => step.name === name)?.run ?? assert.fail(name);

interface Published {
	readonly status: number | null;
	readonly output: string;
	/** Arguments of gh, one request per line. */
	readonly requests: string;
	readonly checked: string;
	/** The settings of npm. */
	readonly npmrc: string;
}

interface Tagged {
	/** A tag with a message is an object of its own. */
	readonly annotated?: boolean;
	/** Whether the tag moves: before the release is made, while it is made, or never. */
	readonly moves?: 'before' | 'during';
	readonly tag?: string;
	readonly token?: string;
	/** npm has this version already. */
	readonly onNpm?: boolean;
}

/** Runs the publishing steps for a tag on a checked commit. */
function publish(
	t: TestContext,
	{ annotated = false, moves, tag = TAG, token = '', onNpm = false }: Tagged = {},
): Published {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-release-'));
	t.after(() => rmSync(root, { recursive: true }));
	const [origin, clone, bin] = ['origin', 'clone', 'bin'].map((name) => join(root, name)) as [string, string, string];
	for (const folder of [origin, bin]) mkdirSync(folder);
	const git = (...args: string[]) => runGit(origin, ...args);
	const commit = (text: string): string => {
		writeFileSync(join(origin, 'code'), text);
		git('add', '--all');
		git('commit', '--quiet', '--message', text);
		return git('rev-parse', 'HEAD');
	};
	git('init', '--quiet', '--initial-branch=main');
	const checked = commit('checked');
	git('tag', ...(annotated ? ['--annotate', '--message', 'release'] : []), tag);
	runGit(root, 'clone', '--quiet', origin, clone);
	const evil = commit('never checked');
	if (moves === 'before') git('tag', '--force', tag, evil);
	writeFileSync(join(clone, 'benchgate-1.2.3.tgz'), '');
	const requests = join(root, 'asked');
	const moving = moves === 'during' ? `git -C '${origin}' tag --force ${tag} ${evil} >/dev/null` : ':';
	writeFileSync(
		join(bin, 'gh'),
		`#!/bin/bash\necho "$*" >> '${requests}'\nif test "$1 $2" = 'release create'; then ${moving}; fi\n`,
	);
	const npm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim();
	const recorded = `echo "npm $*" >> '${requests}'`;
	const answers = [
		`view) echo '${onNpm ? tag.slice(1) : ''}' ;;`,
		`publish) ${recorded} ;;`,
		`*) exec '${npm}' "$@" ;;`,
	];
	writeFileSync(join(bin, 'npm'), `#!/bin/bash\ncase "$1" in ${answers.join(' ')} esac\n`);
	for (const name of ['gh', 'npm']) chmodSync(join(bin, name), 0o755);
	const env = {
		PATH: `${bin}:${process.env.PATH}`,
		HOME: root,
		GITHUB_SHA: checked,
		GITHUB_REF: `refs/tags/${tag}`,
		GITHUB_REF_NAME: tag,
		GITHUB_REPOSITORY: 'benchgate/benchgate',
		NPM_TOKEN: token,
		npm_config_registry: 'https://packages.example/npm/',
	};
	let status: number | null = 0;
	let output = '';
	for (const name of ['Create the release', 'Publish to npm', 'Move the major tag']) {
		if (status !== 0) break;
		const script = join(root, 'script.sh');
		writeFileSync(script, scriptOf(name));
		// Like `shell: bash` of a runner.
		const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], { cwd: clone, env });
		status = ended.status;
		output += ended.stdout.toString() + ended.stderr.toString();
	}
	const [written, npmrc] = [requests, join(root, '.npmrc')].map((file) =>
		existsSync(file) ? readFileSync(file, 'utf8') : '',
	) as [string, string];
	return { status, output, requests: written, checked, npmrc };
}

for (const annotated of [false, true]) {
	test(`a tag that stayed is released, and the major tag moves to its commit (annotated: ${annotated})`, (t) => {
		const { status, output, requests, checked } = publish(t, { annotated });
		assert.equal(status, 0, output);
		const [create, edit, npm, major] = requests.split('\n');
		assert.match(create ?? '', new RegExp(`^release create ${TAG} .*--target ${checked} .*--draft .*\\.tgz$`));
		assert.equal(edit, `release edit ${TAG} --draft=false`);
		assert.equal(npm, 'npm publish ./benchgate-1.2.3.tgz --ignore-scripts --access public --provenance --tag latest');
		assert.match(major ?? '', new RegExp(`git/refs/tags/v1 -f sha=${checked} `));
	});
}

test('npm gets its token from the environment, if there is one, and a release candidate is not the latest', (t) => {
	const first = publish(t, { tag: 'v1.2.3-rc.1', token: 'secret' });
	assert.equal(first.status, 0, first.output);
	assert.match(first.requests, /^npm publish \.\/benchgate-1\.2\.3-rc\.1\.tgz .*--provenance --tag next$/m);
	assert.equal(first.npmrc.trim(), `//packages.example/npm/:_authToken=\${NPM_TOKEN}`);
	assert.equal(publish(t).npmrc, '');
});

test('a version that npm has is not published again', (t) => {
	const { status, requests } = publish(t, { onNpm: true });
	assert.equal(status, 0);
	assert.doesNotMatch(requests, /npm publish/);
});

test('npx runs dist of the repository unchanged: no script makes npm install development dependencies', () => {
	const root = fileURLToPath(new URL('../', import.meta.url));
	const { scripts, dependencies, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	assert.deepEqual([dependencies, workspaces], [undefined, undefined]);
	// pacote's conditions for preparing a git dependency.
	const preparing = ['postinstall', 'build', 'preinstall', 'install', 'prepack', 'prepare'];
	assert.deepEqual(
		preparing.filter((name) => name in scripts),
		[],
	);
});

test('a tag that moved after the check is not released', (t) => {
	const { status, output, requests } = publish(t, { moves: 'before' });
	assert.equal(status, 1);
	assert.match(output, /::error::v1\.2\.3 no longer names/);
	assert.equal(requests, '');
});

test('a tag that moves while the release is made leaves a draft and the old major tag', (t) => {
	const { status, output, requests } = publish(t, { moves: 'during' });
	assert.equal(status, 1);
	assert.match(output, /no longer names/);
	assert.match(requests, /^release create .*--draft .*\n$/);
});

test('pages, workflows and benchgate init name the tag that a release of this version moves', (t) => {
	const root = fileURLToPath(new URL('../', import.meta.url));
	const read = (file: string) => readFileSync(join(root, file), 'utf8');
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const { requests } = publish(t, { tag: `v${version}` });
	const [, moved] = /--method PATCH \S+\/git\/refs\/tags\/(\S+)/.exec(requests) ?? [];
	assert.ok(moved !== undefined, requests);
	const places = ['README.md', 'docs/*.md', 'docs/tutorials/*.md', '.github/workflows/*.yml', 'src/init/**/*.ts'];
	const named = globSync(places, { cwd: root }).flatMap((file) =>
		[...read(file).matchAll(/(?:benchgate\/benchgate[\w./-]*|…)@(v\d[\w.]*)/g)].map(([, tag]) => `${file}: ${tag}`),
	);
	assert.ok(named.length > 10, named.join(', '));
	assert.deepEqual(
		named.filter((name) => !name.endsWith(`: ${moved}`)),
		[],
	);
});

test('every job of a release works on the commit with which the run began', () => {
	const uses = readFileSync(FILE, 'utf8').match(/uses: actions\/checkout@/g) ?? [];
	const pinned = readFileSync(FILE, 'utf8').match(/ref: \$\{\{ github\.sha \}\}/g) ?? [];
	assert.equal(pinned.length, uses.length);
});
