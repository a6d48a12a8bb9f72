/**
 * Writes the published JSON Schemas from their definitions in src. With --check: writes nothing and fails when one
 * differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CONFIG_SCHEMA, SCENARIO_SCHEMA } from '../src/config/file/config-schema.ts';
import { BASELINE_SCHEMA } from '../src/types/baseline.ts';
import { EXPLANATION_SCHEMA } from '../src/types/explain.ts';
import { RANKING_SCHEMA } from '../src/types/ranking/ranking.ts';
import { RAW_SCHEMA, RESULT_SCHEMA } from '../src/types/result.ts';
import { SELFTEST_SCHEMA } from '../src/types/selftest.ts';
import { PLAN_SCHEMA } from '../src/types/shards.ts';
import { CHANGES_SCHEMA } from '../src/types/trend.ts';

const FOLDER = new URL('../schema/', import.meta.url);
const SCHEMAS = {
	'benchgate.schema.json': CONFIG_SCHEMA,
	'scenario.schema.json': SCENARIO_SCHEMA,
	'result.schema.json': RESULT_SCHEMA,
	'raw.schema.json': RAW_SCHEMA,
	'plan.schema.json': PLAN_SCHEMA,
	'selftest.schema.json': SELFTEST_SCHEMA,
	'measure.schema.json': RANKING_SCHEMA,
	'baseline.schema.json': BASELINE_SCHEMA,
	'changes.schema.json': CHANGES_SCHEMA,
	'explain.schema.json': EXPLANATION_SCHEMA,
};
const check = process.argv.includes('--check');

for (const [name, schema] of Object.entries(SCHEMAS)) {
	const file = new URL(name, FOLDER);
	const text = `${JSON.stringify(schema, null, 2)}\n`;
	if (!check) writeFileSync(file, text);
	else if (readOrEmpty(file) !== text) {
		console.error(`schema/${name} is not what its source says: run npm run schema`);
		process.exitCode = 1;
	}
}

function readOrEmpty(file: URL): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
