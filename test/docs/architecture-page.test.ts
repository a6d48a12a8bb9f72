import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const MOST_LINES = 150;

/** Each line of the picture from the top: its folders and files of src/. */
const layers = (/<!-- layers -->\s*```\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '')
	.split('\n')
	.filter((line) => line !== '')
	.map((line) => line.replace(/ {3,}.*/, '').split(/ +/));
const layerOf = (stage: string) => layers.findIndex((layer) => layer.includes(stage));

test('ARCHITECTURE.md is read in ten minutes', () => {
	assert.ok(PAGE.split('\n').length <= MOST_LINES);
});

test('the picture has every folder and file of src/ once, and nothing else', () => {
	assert.deepEqual(layers.flat().sort(), readdirSync(join(ROOT, 'src')).sort());
});

test('every import leads upwards in the picture', () => {
	const downwards = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((file) => {
		const ownStage = file.split('/')[1] as string;
		const imports = readFileSync(join(ROOT, file), 'utf8').matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)'/gm);
		return [...imports]
			.map(([, path = '']) => relative(ROOT, join(ROOT, dirname(file), path)).split('/')[1] as string)
			.filter((stage) => stage !== ownStage && layerOf(stage) >= layerOf(ownStage))
			.map((stage) => `${file} imports ${stage}`);
	});
	assert.deepEqual(downwards, []);
});

test('every folder of src/, and every folder beside it, has a description', () => {
	const inSource = layers.flat().filter((stage) => !stage.endsWith('.ts'));
	const beside = ['servers', 'scenarios', 'schema', 'evaluation', 'benchmarks', 'test', 'docs', 'dist', 'scripts'];
	const wanted = [...inSource.map((stage) => `**src/${stage}**`), ...beside.map((folder) => `**${folder}/**`)];
	assert.deepEqual(
		wanted.filter((words) => !PAGE.includes(words)),
		[],
	);
});
