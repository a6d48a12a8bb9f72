/**
 * Reduces a stored raw file: `node test/simulation/strip-raw.ts RAW.json NAME` writes NAME.json.gz to
 * test/fixtures/raw, without data that no verdict depends on: latencies, installed packages, digits beyond the
 * microsecond.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { parseRaw, renderRaw } from '../../src/formats/raw/raw-file.ts';
import type { Raw, RevisionInfo } from '../../src/types/result.ts';
import { mapSides } from './transforms.ts';

const FOLDER = new URL('../fixtures/raw/', import.meta.url);

function stripRevision(revision: RevisionInfo): RevisionInfo {
	return { ...revision, versions: {} };
}

function stripRaw(raw: Raw): Raw {
	const rounds = mapSides(raw.rounds, (side) => ({ ...side, latency: [] }));
	const { base, head } = raw.context;
	return { ...raw, rounds, context: { ...raw.context, base: stripRevision(base), head: stripRevision(head) } };
}

function shorten(_key: string, value: unknown): unknown {
	return typeof value === 'number' ? Number(value.toFixed(6)) : value;
}

const [file, name] = process.argv.slice(2);
if (!file || !name) throw new Error('usage: node test/simulation/strip-raw.ts RAW.json NAME');
const stripped = JSON.parse(JSON.stringify(stripRaw(parseRaw(readFileSync(file, 'utf8'), file)), shorten)) as Raw;
mkdirSync(FOLDER, { recursive: true });
writeFileSync(new URL(`${name}.json.gz`, FOLDER), gzipSync(renderRaw(stripped), { level: 9 }));
