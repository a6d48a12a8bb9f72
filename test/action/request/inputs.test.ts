import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { INPUT_DEFAULTS, INPUT_NAMES, parseInputs, readInputs } from '../../../src/action/request/inputs.ts';
import { INPUT_OPTIONS } from '../../../src/config/option-names.ts';
import { isUserError } from '../../../src/types/errors.ts';
import { exampleTexts } from '../../config/example-flags.ts';

const action = parse(readFileSync(new URL('../../../action.yml', import.meta.url), 'utf8')) as {
	inputs: Record<string, { description: string; default: string }>;
	outputs: Record<string, { description: string }>;
};

function problemsOf(raw: Record<string, string>): string[] {
	try {
		parseInputs(raw);
	} catch (error) {
		assert.ok(isUserError(error), String(error));
		assert.equal(error.code, 'bad-input');
		return error.message.split('\n');
	}
	return [];
}

test('the inputs are those of action.yml, with the same defaults', () => {
	assert.deepEqual(INPUT_NAMES.toSorted(), Object.keys(action.inputs).toSorted());
	for (const name of INPUT_NAMES) {
		const platform = '${' + '{ github.token }}';
		assert.equal(action.inputs[name]?.default, name === 'github-token' ? platform : INPUT_DEFAULTS[name], name);
	}
});

test('every input and output is described', () => {
	for (const [name, { description }] of Object.entries({ ...action.inputs, ...action.outputs })) {
		assert.match(description, /^[A-Z].{20,}\.$/s, name);
	}
});

test('without inputs the defaults hold', () => {
	assert.deepEqual(parseInputs({}), {
		mode: 'auto',
		options: Object.fromEntries(INPUT_OPTIONS.map(([name]) => [name, undefined])),
		onInconclusive: undefined,
		configFrom: 'base',
		gate: undefined,
		comment: 'always',
		commentKey: 'default',
		commentKeys: [],
		checkRun: true,
		artifactName: 'benchgate',
		skipUnchanged: true,
		acceptLabel: 'benchgate: accepted',
		dashboard: undefined,
		workflow: 'benchgate.yml',
		store: 'branch:benchgate',
		records: 'benchgate-baselines',
		site: 'branch:benchgate-site',
		shards: null,
		shard: undefined,
		shardFiles: 'benchgate-shards',
		token: '',
	});
});

test('empty inputs count as absent, as a reusable workflow passes them on', () => {
	assert.deepEqual(parseInputs(Object.fromEntries(INPUT_NAMES.map((name) => [name, ' ']))), parseInputs({}));
});

/** Of options that a comparison does not repeat. */
const OTHER_EXAMPLES: Readonly<Record<string, string>> = {
	config: 'bench/benchgate.yml',
	base: 'npm:express@5.1.0',
	head: 'HEAD~1',
	anchor: 'v5.1.0',
	precision: '0.5%',
	good: 'v5.0.0',
	bad: 'main',
	explain: 'always',
	explainBudget: '2m',
};

test('every input is read', () => {
	const examples: Readonly<Record<string, fc.Arbitrary<string>>> = exampleTexts(['express', 'koa'], ['core', 'ping']);
	const options = Object.fromEntries(
		INPUT_OPTIONS.map(([name]) => {
			const [text] = examples[name] ? fc.sample(examples[name], { numRuns: 1, seed: 7 }) : [OTHER_EXAMPLES[name]];
			assert.ok(text, `an example of ${name}`);
			return [name, text];
		}),
	);
	const inputs = parseInputs({
		...Object.fromEntries(INPUT_OPTIONS.map(([name, { input }]) => [input?.name ?? name, options[name] ?? ''])),
		mode: 'compare',
		'config-from': 'head',
		store: 'dir:baselines',
		records: 'downloaded',
		site: 'dir:public',
		shards: '4',
		shard: '3',
		'shard-files': 'parts',
		gate: 'advisory',
		comment: 'on-change',
		'comment-key': 'node-22',
		'comment-keys': 'linux,\n arm',
		'check-run': 'False',
		'artifact-name': 'benchgate-node-22',
		'github-token': ' ghs_abc ',
		'accept-label': 'slower: ok',
		dashboard: 'https://owner.github.io/repository/',
		workflow: 'bench.yaml',
		'skip-unchanged': 'FALSE',
	});
	assert.deepEqual(inputs, {
		mode: 'compare',
		options,
		configFrom: 'head',
		onInconclusive: options.onInconclusive,
		gate: 'advisory',
		comment: 'on-change',
		commentKey: 'node-22',
		commentKeys: ['linux', 'arm'],
		checkRun: false,
		artifactName: 'benchgate-node-22',
		token: 'ghs_abc',
		acceptLabel: 'slower: ok',
		dashboard: 'https://owner.github.io/repository/',
		workflow: 'bench.yaml',
		store: 'dir:baselines',
		records: 'downloaded',
		site: 'dir:public',
		shards: 4,
		shard: 3,
		shardFiles: 'parts',
		skipUnchanged: false,
	});
});

test('lists may have a name a line', () => {
	assert.equal(parseInputs({ servers: 'express\n  koa,\nhono\n' }).options.server, 'express,koa,hono');
});

test('a job cannot choose a key of /benchgate comments', () => {
	for (const key of ['command', 'linux-command']) {
		for (const name of ['comment-key', 'comment-keys']) {
			const [problem = ''] = problemsOf({ [name]: key });
			assert.match(problem, new RegExp(`^input ${name} "${key}": not allowed; .*keys of /benchgate comments$`));
		}
	}
	assert.equal(parseInputs({ 'comment-key': 'commands' }).commentKey, 'commands');
});

test('all problems are reported at once, each with input, value, form and the nearest word', () => {
	const problems = problemsOf({
		mode: 'compair',
		gate: 'strict',
		comment: 'onchange',
		'check-run': 'yes',
		'comment-key': 'a b',
		'artifact-name': '../up',
		threshold: '5',
		budget: '10 minutes',
		design: 'duett',
		'on-inconclusive': 'passs',
		seed: '-1',
		base: 'gti:main',
		head: '--upload-pack=touch',
		'accept-label': 'x'.repeat(51),
		dashboard: 'javascript:alert(1)',
		config: 'a\nb',
	});
	assert.deepEqual(problems.sort(), [
		'input accept-label "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": not allowed; a label of up to 50 characters',
		'input artifact-name "../up": not allowed; up to 64 letters, digits, ".", "_" and "-", not beginning with "."',
		'input base "gti:main": not allowed; did you mean "git:main"?',
		'input budget "10 minutes": not allowed; a duration in ms, s, m or h, e.g. 90s or 10m',
		'input check-run "yes": not allowed; true or false',
		'input comment "onchange": not allowed; one of always, on-change, never; did you mean "on-change"?',
		'input comment-key "a b": not allowed; up to 64 letters, digits, ".", "_" and "-", not beginning with "."',
		'input config "a\\nb": not allowed; a path, on one line',
		'input dashboard "javascript:alert(1)": not allowed; an address such as https://owner.github.io/repository/',
		'input design "duett": not allowed; one of duet, alternating, sequential; did you mean "duet"?',
		'input gate "strict": not allowed; one of enforce, advisory',
		'input head "--upload-pack=touch": not allowed; a branch, tag or commit, or a revision with its prefix',
		'input mode "compair": not allowed; one of auto, compare, baseline, report, plan, shard, gather, bisect, selftest, record; did you mean "compare"?',
		'input on-inconclusive "passs": not allowed; one of pass, fail, neutral; did you mean "pass"?',
		'input seed "-1": not allowed; a whole number from 0',
		'input threshold "5": not allowed; a percentage above 0% and below 100%, e.g. 5%',
	]);
});

test('the token is never part of a message', () => {
	const problems = problemsOf({ 'github-token': 'ghs_secret and more' });
	assert.deepEqual(problems, ['input github-token: not allowed; one token without spaces or line breaks']);
});

test('any text gives inputs or a UserError, one line a problem', () => {
	const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('true', 'enforce', '5%', '__proto__', ''));
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...INPUT_NAMES), text), (raw) => {
			for (const problem of problemsOf(raw)) assert.match(problem, /^input [a-z-]+[ :]/);
		}),
		{ numRuns: 2000, seed: 4 },
	);
});

test('inputs come from the variables of the runner', (t) => {
	const variables = { INPUT_MODE: 'report', 'INPUT_COMMENT-KEY': 'api', 'INPUT_GITHUB-TOKEN': 'ghs_x' };
	Object.assign(process.env, variables);
	t.after(() => {
		for (const name of Object.keys(variables)) delete process.env[name];
	});
	const inputs = readInputs();
	assert.deepEqual([inputs.mode, inputs.commentKey, inputs.token], ['report', 'api', 'ghs_x']);
});
