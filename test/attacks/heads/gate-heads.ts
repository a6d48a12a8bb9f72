/** Heads that change their own gate: rows, thresholds, and the config's origin. */
import assert from 'node:assert/strict';
import { type Attack, BY_DEFAULT, LINK, type Row, type Seen } from '../attack.ts';
import { app, BOTH, configOf, SLOW_APP, server } from '../victim.ts';

/** Breaks /report, to be detected by any measurement of it. */
const BROKEN_REPORT = app({ each: "if (request.url === '/report') status = 500;" });
/** A broken scenario is not loaded, so this measures nothing. */
const REPORT: readonly Row[] = ['report'];
const SAYS_BROKEN = /api\/report[\s\S]*(500|broke)/;
/** Edits main's config; throws on a pattern without a match, which would leave an honest head. */
function without(pattern: RegExp, replacement = '', rows?: readonly Row[]): string {
	const config = configOf(rows);
	const changed = config.replace(pattern, replacement);
	assert.notEqual(changed, config, String(pattern));
	return changed;
}

/** The cell exists, with main's settings. */
function heldToMain({ result }: Seen): void {
	assert.ok(result, 'nothing was compared');
	assert.equal(result.threshold, 0.3);
	assert.equal(result.tolerance, 0.15);
	assert.equal(result.budget, 1);
	assert.deepEqual(
		result.cells.map(({ server, scenario }) => `${server}/${scenario}`),
		['api/fast'],
	);
	assert.ok(
		result.cells.every(
			({ threshold, tolerance, metric }) => threshold === 0.3 && tolerance === 0.15 && metric === 'throughput',
		),
	);
}

export const GATE_HEADS: readonly Attack[] = [
	{
		does: 'deletes the scenario that it breaks',
		files: { 'lib/app.mjs': BROKEN_REPORT, 'benchgate.yml': without(/ {2}- name: report\n( {4}.*\n)+/, '', BOTH) },
		rows: BOTH,
		ends: BY_DEFAULT,
		says: SAYS_BROKEN,
	},
	{
		does: 'renames the scenario that it breaks',
		files: { 'lib/app.mjs': BROKEN_REPORT, 'benchgate.yml': without(/name: report/, 'name: report-v2', REPORT) },
		rows: REPORT,
		ends: 'red',
		says: SAYS_BROKEN,
	},
	{
		does: 'renames the server',
		files: { 'lib/app.mjs': BROKEN_REPORT, 'benchgate.yml': without(/name: api/, 'name: api-v2', REPORT) },
		rows: REPORT,
		ends: 'red',
		says: SAYS_BROKEN,
	},
	{
		does: 'deletes its config',
		files: { 'lib/app.mjs': BROKEN_REPORT, 'benchgate.yml': null },
		rows: REPORT,
		ends: 'red',
		says: SAYS_BROKEN,
	},
	{
		does: 'lists only the scenarios that it does not break',
		files: {
			'lib/app.mjs': BROKEN_REPORT,
			'benchgate.yml': without(/cwd: bench/, 'cwd: bench\n    scenarios: [fast]', BOTH),
		},
		rows: BOTH,
		ends: 'red',
		says: SAYS_BROKEN,
	},
	{
		does: 'expects the wrong answers that it gives',
		files: {
			'lib/app.mjs': BROKEN_REPORT,
			'benchgate.yml': without(/expect: \{ status: 200 \}/, 'expect: { status: [200, 500] }', REPORT),
		},
		rows: REPORT,
		ends: 'red',
		says: SAYS_BROKEN,
	},
	{
		does: 'moves the server into another folder',
		files: {
			'bench/server.mjs': null,
			'perf/server.mjs': server(),
			'benchgate.yml': without(/cwd: bench/, 'cwd: perf'),
		},
		ends: 'red',
		says: /api\/(fast|report)/,
	},
	{
		does: 'starts a copy of the old code instead of its own',
		files: {
			'lib/app.mjs': BROKEN_REPORT,
			'old/app.mjs': app(),
			'bench/old.mjs': server().replace('../lib', '../old'),
			'benchgate.yml': without(/node server\.mjs/, 'node old.mjs', REPORT),
		},
		rows: REPORT,
		ends: 'red',
		says: SAYS_BROKEN,
	},
	{
		does: 'puts benchgate.yaml beside benchgate.yml',
		files: { 'benchgate.yaml': without(/30%/, '95%') },
		ends: 'red',
		says: /benchgate\.yaml/,
	},
	{
		does: 'breaks its config',
		files: { 'lib/app.mjs': BROKEN_REPORT, 'benchgate.yml': 'servers: [\n' },
		rows: BOTH,
		ends: 'red',
		says: /benchgate\.yml/,
	},
	{
		does: 'makes its config a link to a file of the runner',
		files: { 'lib/app.mjs': BROKEN_REPORT, 'benchgate.yml': `${LINK}/etc/hostname` },
		rows: BOTH,
		ends: 'red',
		says: /plain file/,
	},
	...[
		['raises the threshold', /30%/, '95%'],
		['raises the tolerance', /30%/, '30%\ntolerance: 29%'],
		['raises the threshold of a scenario', /request: \{ method: GET, path: \/fast \}/, '$&\n    threshold: 95%'],
		['gates another metric', /on-inconclusive: neutral/, 'on-inconclusive: neutral, metrics: [memory-peak]'],
		['lets what is undecided pass', /on-inconclusive: neutral/, 'on-inconclusive: pass'],
	].map(
		([does = '', from = '', to = '']): Attack => ({
			does: `${does} in its config`,
			files: { 'lib/app.mjs': app({ first: '// Improved.' }), 'benchgate.yml': without(from as RegExp, to as string) },
			ends: 'honest',
			check: heldToMain,
		}),
	),
	{
		does: 'loads the sides one after the other, by its config',
		files: {
			'lib/app.mjs': BROKEN_REPORT,
			'benchgate.yml': without(/budget: 1s/, 'budget: 1s\ndesign: sequential', BOTH),
		},
		rows: BOTH,
		ends: 'red',
		says: SAYS_BROKEN,
		check: ({ result }) => assert.equal(result?.design, 'duet'),
	},
	{
		does: 'branches from before the first config, and adds a loose one',
		from: 'before-config',
		files: {
			'lib/app.mjs': SLOW_APP,
			'benchgate.yml': without(/30%/, '95%').replace('neutral', 'pass'),
		},
		ends: 'red',
		says: /regressed/,
		inputs: { budget: '2m' },
		measured: true,
	},
	{
		does: 'branches from a commit with a looser config',
		from: 'loose-config',
		files: { 'lib/app.mjs': SLOW_APP },
		ends: 'red',
		says: /regressed/,
		inputs: { budget: '2m' },
		measured: true,
	},
];
