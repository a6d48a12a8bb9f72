import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../../src/config/file/parse-config.ts';
import { resolveConfig } from '../../../src/config/resolve-config.ts';
import { CATALOGUE } from '../example-catalogue.ts';

const parse = (text: string) => parseConfig(text, 'benchgate.yml', CATALOGUE);
const SERVER = 'servers: [{ name: api, command: node server.js, cwd: bench/api }]\n';

test('folders are given as paths within a repository', () => {
	assert.deepEqual(parse(`harness: [./bench/, tools//./load]\n${SERVER}`).harness, ['bench', 'tools/load']);
	const { harness, gate } = resolveConfig(
		parse(`harness: [bench]\n${SERVER}gate: { enforce-after: 2026-12-24 }\n`),
		{ scenario: 'ping' },
		CATALOGUE,
		() => 1,
	);
	assert.deepEqual([harness, gate.enforceAfter], [['bench'], '2026-12-24']);
	assert.deepEqual(
		Object.keys(resolveConfig(parse(''), { server: 'express' }, CATALOGUE, () => 1)).includes('harness'),
		false,
	);
});

const REFUSED: readonly (readonly [string, RegExp])[] = [
	['harness: [.]\n', /^benchgate\.yml:1: harness\[0\]: the whole repository cannot be the harness/],
	['harness: [bench/..]\n', /"bench\/\.\." is not allowed; a folder inside of the repository/],
	['harness: [../bench]\n', /"\.\.\/bench" is not allowed/],
	['harness: [/bench]\n', /"\/bench" is not allowed/],
	['harness: [bench/.git]\n', /"bench\/\.git" is not allowed/],
	['harness: [node_modules/bench]\n', /"node_modules\/bench" is not allowed/],
	['harness: ["bench\\\\api"]\n', /is not allowed/],
	['harness: bench\n', /"bench" is not allowed; a list of folders/],
	['harness: []\n', /a list of folders/],
	['harness: [""]\n', /text, e\.g\. bench/],
	['harness: [bench, load, ./bench/]\n', /^benchgate\.yml:1: harness\[2\]: "bench" is given twice; keep one$/],
	[
		'harness:\n  - load\n  - bench/api\n  - bench\n',
		/^benchgate\.yml:3: harness\[1\]: "bench\/api" lies in "bench", which is given too; keep one$/,
	],
	[
		`harness: [load]\n${SERVER}`,
		/^benchgate\.yml:2: servers\[0\]\.cwd: "bench\/api" is in no folder of harness \(load\), so server api would be head's own; start it in one, e\.g\. cwd: load$/,
	],
	[`harness: [bench]\n${SERVER.replace(', cwd: bench/api', '')}`, /servers\[0\]\.cwd: "\." is in no folder of harness/],
	[`harness: [bench]\n${SERVER.replace('bench/api', 'bench/../own')}`, /"bench\/\.\.\/own" is in no folder/],
	[`harness: [bench]\n${SERVER.replace('bench/api', 'benches')}`, /"benches" is in no folder/],
	[
		'gate: { enforce-after: 2026-02-30 }\n',
		/^benchgate\.yml:1: gate\.enforce-after: there is no day 2026-02-30 in the calendar; give a real one$/,
	],
	[
		'gate: { enforce-after: 24.12.2026 }\n',
		/"24\.12\.2026" is not allowed; a day as year-month-day, e\.g\. 2026-12-24$/,
	],
	['gate: { enforce-after: 20261224 }\n', /20261224 is not allowed; a day/],
];

for (const [text, message] of REFUSED) {
	test(`refused: ${JSON.stringify(text)}`, () => {
		assert.throws(() => parse(text), { message });
	});
}

test('built-in servers may stand beside a harness', () => {
	assert.deepEqual(parse(`harness: [bench]\nservers: [express, { name: api, command: x, cwd: bench }]\n`).harness, [
		'bench',
	]);
});

test('a subject inside of the harness would be the same on both sides', () => {
	const file = parse('harness: [packages]\nservers: [express]\nsubject: ./packages/core\n');
	assert.throws(() => resolveConfig(file, {}, CATALOGUE, () => 1), {
		code: 'bad-config',
		where: 'benchgate.yml',
		message: 'the subject "./packages/core" lies in "packages" of harness, so base and head would be the same code',
	});
	assert.throws(
		() => resolveConfig(parse('harness: [bench]\nservers: [express]\n'), { subject: 'bench' }, CATALOGUE, () => 1),
		{
			message: /the subject "bench" lies in "bench"/,
		},
	);
});
