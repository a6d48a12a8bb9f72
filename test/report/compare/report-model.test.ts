import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Audience } from '../../../src/report/compare/audience.ts';
import { buildReport, type Report } from '../../../src/report/compare/report-model.ts';
import { type Phrase, renderPhrase } from '../../../src/text/phrase.ts';
import type { Result } from '../../../src/types/result.ts';
import type { Side } from '../../../src/types/units.ts';
import { resultCase } from '../../support/result-cases.ts';
import { cellOf, resultOf } from '../../support/results.ts';

const same = (text: string): string => text;
const read = (text: Phrase): string => renderPhrase(text, { own: same, code: same, text: same, strong: same });
const nextOf = (result: Result, audience: Audience = {}): string =>
	buildReport(result, audience).headline.next.map(read).join(' ');
const contextOf = (report: Report, label: string): string =>
	report.context
		.filter((line) => line.label === label)
		.map(({ value }) => read(value))
		.join('\n');

test('rows come in reading order: by verdict, then worst first, improvements largest first; red ones before others', () => {
	const { rows, matters } = buildReport(
		resultOf([
			{ scenario: 'same', change: 0.001 },
			{ scenario: 'open', verdict: 'inconclusive', change: -0.03 },
			{ scenario: 'fresh', verdict: 'new' },
			{ scenario: 'gone', verdict: 'removed' },
			{ scenario: 'broken', verdict: 'invalid' },
			{ scenario: 'better', verdict: 'improved', change: 0.07 },
			{ scenario: 'best', verdict: 'improved', change: 0.2 },
			{ scenario: 'bad', verdict: 'regressed', change: -0.06 },
			{ scenario: 'worst', verdict: 'regressed', change: -0.11, judgedBy: 'cpu-per-request' },
			{ scenario: 'lower', change: -0.01 },
		]),
	);
	const order = ['worst', 'bad', 'best', 'better', 'broken', 'fresh', 'gone', 'open', 'lower', 'same'];
	assert.deepEqual(
		rows.map(({ scenario }) => scenario),
		order,
	);
	assert.deepEqual(
		matters.map(({ scenario }) => scenario),
		['worst', 'bad', 'gone', 'best', 'better', 'broken', 'fresh', 'open'],
	);
});

test('a cost metric keeps its change, but its span is negated so that worse is negative', () => {
	const cell = cellOf({
		scenario: 'ping',
		change: -0.1,
		margin: 0.02,
		judgedBy: 'cpu-per-request',
		verdict: 'regressed',
	});
	const [row] = buildReport(
		resultOf([{ ...cell, change: 0.25, interval: { low: 0.2, high: null, confidence: 0.9 } }]),
	).rows;
	assert.equal(row?.change, '+25.0 %');
	assert.equal(row?.interval, '[+20.0 … +∞]');
	assert.deepEqual(row?.span, { low: null, mid: -0.19999999999999996, high: 1 / 1.2 - 1, threshold: 0.05 });
});

test('equal warnings make one footnote with their cells; those of the run come last', () => {
	const shared = { code: 'generator-bound', message: 'At its limit.' };
	const { footnotes, rows } = buildReport(
		resultOf(
			[
				{ scenario: 'a', change: -0.02, warnings: [shared] },
				{ scenario: 'b', change: -0.01, warnings: [{ code: 'small-drop', message: 'Small.' }, shared] },
			],
			'pass',
			{ warnings: [{ code: 'busy-machine', message: 'Busy.' }, shared] },
		),
	);
	assert.deepEqual(
		footnotes.map(({ number, code, cells }) => [number, code, cells]),
		[
			[1, 'generator-bound', ['express/a', 'express/b']],
			[2, 'small-drop', ['express/b']],
			[3, 'busy-machine', []],
		],
	);
	assert.deepEqual(
		rows.map(({ notes }) => notes),
		[[1], [1, 2]],
	);
});

test('many messages of one code fold into one footnote', () => {
	const rows = Array.from({ length: 5 }, (_, at) => ({
		scenario: `s${at}`,
		change: at / 1000,
		warnings: [{ code: 'few-responses', message: `Only ${at}.` }],
	}));
	const [note, ...others] = buildReport(resultOf(rows)).footnotes;
	assert.deepEqual(others, []);
	assert.equal(note?.message, 'Only 0.');
	assert.equal(note?.alike, 4);
	assert.deepEqual([note?.cells.length, note?.moreCells], [3, 2]);
});

test('the first line names the side that broke, and the part of head in it', () => {
	const row = (scenario: string, code: string, ...sides: Side[]) => {
		const warnings = sides.map((side) => ({ code, side, message: `${side}: ${code}` }));
		return { scenario, verdict: 'invalid', warnings: sides.length > 0 ? warnings : [{ code, message: code }] } as const;
	};
	const fine = { scenario: 'fine', change: 0 };
	const summary = (...rows: Parameters<typeof resultOf>[0][number][]): string =>
		read(buildReport(resultOf([fine, ...rows], 'fail')).headline.summary);
	const head = row('a', 'restarted', 'head');
	const late = row('b', 'unexpected-answers', 'head');
	const base = row('c', 'wrong-status', 'base');
	const both = row('d', 'crashed', 'base', 'head');
	const none = 'No regression of 5 % or more in the other 1 scenario.';
	assert.equal(
		summary(head, late),
		`2 of 3 scenarios are broken, on head only: a crashed and b answers wrongly under load. ${none}`,
	);
	assert.equal(summary(base), `c answers wrongly, on base only. ${none}`);
	assert.equal(summary(base, head), `a crashed, on head only. c answers wrongly, on base only. ${none}`);
	assert.equal(summary(both), `d crashed, on both sides. ${none}`);
	assert.equal(summary(row('e', 'port-taken', 'head')), `e does not start, on head only. ${none}`);
	assert.equal(summary(row('f', 'bodies-differ')), `f: head and base give different answers. ${none}`);
	assert.match(summary(row('g', 'no-answer')), /^1 of 2 scenarios could not be measured; /);
	const alone = read(buildReport(resultOf([head], 'error')).headline.summary);
	assert.equal(alone, 'Head is broken, so nothing was measured: head: restarted.');
});

test('the report advises to run base again only for a fault that occurred once', () => {
	const next = (name: string): string => nextOf(resultCase(name), { gate: 'enforce' });
	assert.match(next('base-broken-once'), /^Nothing to fix in head\. Run again to measure json-nested: /);
	assert.match(
		next('base-broken'),
		/^Nothing to fix in head\. Fix the base branch, so that json-post and json-nested /,
	);
	assert.doesNotMatch(next('base-broken'), /[Rr]un again/);
	assert.equal(next('needs-rebase'), 'Rebase on the base branch, so that json-post can be compared.');
});

test('the line of the config is named if both sides break and one line is known', () => {
	const next = (audience: Audience): string => nextOf(resultCase('both-broken'), audience);
	assert.equal(next({}), 'Fix the server, or the scenario’s expect: both sides fail in the same way.');
	const lineOf = (scenario: string) => ({ path: 'bench/benchgate.yml', line: scenario === 'json-post' ? 7 : 1 });
	assert.match(next({ lineOf }), /, or the scenario’s expect \(bench\/benchgate\.yml:7\): /);
	assert.match(next({ lineOf: () => null }), /, or the scenario’s expect: /);
});

test('the exit code is always shown, the colour of a check only if the title does not imply it', () => {
	const effect = (result: Result, audience = {}): string | null => {
		const { effect: found } = buildReport(result, audience).headline;
		return found && `${found.label}: ${read(found.words)}`;
	};
	const open = resultOf([{ scenario: 'ping', verdict: 'inconclusive', change: -0.03 }], 'inconclusive');
	const fails: Result = { ...open, onInconclusive: 'fail' };
	assert.equal(effect(open), 'Exit code: 0, only because of on-inconclusive: pass.');
	assert.equal(effect(fails), 'Exit code: 1, because of on-inconclusive: fail.');
	assert.equal(effect({ ...fails, ended: 'interrupted' }), 'Exit code: 130, because the run was interrupted.');
	assert.equal(effect(resultCase('one-regressed')), 'Exit code: 1.');
	assert.equal(effect(fails, { gate: 'enforce' }), 'Check: red, because of on-inconclusive: fail.');
	assert.equal(effect(fails, { gate: 'advisory' }), 'Check: neutral. Nothing is blocked, because of gate: advisory.');
	assert.equal(
		effect({ ...open, onInconclusive: 'neutral' }, { gate: 'enforce' }),
		'Check: neutral (does not block merging), because of on-inconclusive: neutral.',
	);
	const cut: Result = { ...open, ended: 'interrupted' };
	assert.equal(effect(cut, { gate: 'enforce' }), 'Check: grey (cancelled), because the run was interrupted.');
	for (const gate of ['enforce', 'advisory'] as const) {
		assert.equal(
			effect(resultCase('base-broken-once'), { gate }),
			'Check: neutral (does not block merging), because base is broken.',
		);
	}
	for (const name of ['unchanged', 'one-regressed', 'invalid', 'nothing-measured']) {
		assert.equal(effect(resultCase(name), { gate: 'enforce' }), null, name);
	}
});

test('versions name the differences between the sides and count the rest', () => {
	const report = buildReport(resultOf([{ scenario: 'ping', change: 0 }]));
	assert.equal(
		contextOf(report, 'Versions'),
		'express: express 5.1.0 → 5.2.0, router 2.2.0 → 2.3.0; 3 packages equal on both sides',
	);
});

test('time includes the part under load, and the smallest visible drop names its cells', () => {
	const report = buildReport(
		resultOf([
			{ scenario: 'a', change: 0, margin: 0.01 },
			{ scenario: 'b', change: 0, margin: 0.02 },
		]),
	);
	assert.match(
		contextOf(report, 'Time'),
		/^6 min 12 s in all: 5 min 18 s measuring, of which 3 min 34 s \(67\.3 %\) counted/,
	);
	assert.equal(contextOf(report, 'Smallest detectable slowdown'), '2 % (express/a) to 4 % (express/b)');
});

test('a result without cells is still a report', () => {
	const report = buildReport(
		resultOf([], 'error', { gate: { outcome: 'error', reasons: ['There was nothing to compare.'] } }),
	);
	assert.equal(read(report.headline.summary), 'There was nothing to compare.');
	assert.deepEqual(report.rows, []);
});

test('a command too long for the report is left out rather than cut', () => {
	assert.equal(buildReport(resultOf([], 'error', { reproduce: 'x'.repeat(1001) })).reproduce, null);
	assert.equal(buildReport(resultOf([], 'error', { reproduce: 'x'.repeat(1000) })).reproduce?.length, 1000);
});

const KEPT_APART = [
	[{ level: 'users', reason: null, hidesProcesses: true, readOnly: true }, /^separate users$/],
	[
		{ level: 'users', reason: null, hidesProcesses: false, readOnly: false },
		/^separate users; shared process list, so each could see the other$/,
	],
	[
		{ level: 'users', reason: null, hidesProcesses: true, readOnly: true, refusesRival: false },
		/^separate users; shared network, so each could send the other requests$/,
	],
	[
		{ level: 'users', reason: null, hidesProcesses: false, readOnly: false, refusesRival: false },
		/; shared process list, .*; shared network, /,
	],
	[
		{ level: 'namespace', reason: 'sudo asks <b>for</b> a password', hidesProcesses: true, readOnly: true },
		/^namespaces of the user that ran benchgate \(sudo asks <b>for<\/b> a password\)$/,
	],
	[{ level: 'none', reason: null, hidesProcesses: false, readOnly: false }, /^none: .* could reach it and the other$/],
] as const;

for (const [isolation, words] of KEPT_APART) {
	test(`isolation ${JSON.stringify(isolation)} is in every report, short and long`, () => {
		const sane = resultOf([{ scenario: 'same', change: 0.001 }]);
		const report = buildReport({ ...sane, environment: { ...sane.environment, isolation } });
		assert.match(contextOf(report, 'Isolation'), words);
		assert.ok(report.brief.some(({ label }) => label === 'Isolation'));
	});
}

test('an older result without isolation gets no statement about it', () => {
	assert.equal(contextOf(buildReport(resultOf([{ scenario: 'same' }])), 'Isolation'), '');
});

test('an unrequested build is reported with its side and the missing file', () => {
	const result = resultCase('one-cell');
	const { subject } = result.head;
	const built = { command: 'bun run build', file: 'dist/index.js', package: subject?.name ?? 'acme' };
	const named = { ...result, head: { ...result.head, subject: { name: built.package, version: '1.0.0' }, built } };
	assert.match(
		contextOf(buildReport(named), 'Head'),
		/, built with bun run build, because the package names dist\/index\.js$/,
	);
	assert.doesNotMatch(contextOf(buildReport(named), 'Base'), /built/);
	const hostile = { command: 'npm run x\n\u202e', file: '<b>'.repeat(99), package: '@evil/`x`' };
	const headText = contextOf(buildReport({ ...result, head: { ...result.head, built: hostile } }), 'Head');
	assert.match(headText, /, built with npm run x �, because @evil\/`x` names (?:<b>)+<?b?…$/);
});

test('a run in which no row runs the subject advises that first, even after a pass', () => {
	const passed = resultOf([{ scenario: 'ping', change: 0.001 }]);
	assert.equal(nextOf(passed), '');
	const warning = { code: 'subject-not-exercised', message: 'No row runs any function of cors under load.' };
	const base = { ...passed.base, subject: { name: 'cors', version: '2.8.5' } };
	assert.equal(
		nextOf({ ...passed, base, warnings: [warning] }),
		'add a scenario that runs cors: no row runs it, so this result does not cover it.',
	);
});

test('an improved row in which head sends other headers has advice', () => {
	const result = resultOf([
		{ scenario: 'ping', verdict: 'improved', change: 0.2 },
		{ scenario: 'text', change: 0 },
	]);
	assert.equal(nextOf(result), '');
	const warnings = [{ code: 'other-headers', message: 'In its answers to GET /, head leaves out "server".' }];
	const cells = result.cells.map((cell) => ({ ...cell, warnings }));
	assert.equal(
		nextOf({ ...result, cells }),
		'Check that head is meant to send other headers in ping: the notes name them.',
	);
});

const UNRUN = {
	...{ kind: 'function' as const, name: 'res.sendFile', side: 'head' as const, line: 430, cells: [] },
	path: 'express/node_modules/express/lib/response.js',
};
const CHANGED = { changes: [UNRUN], omitted: 2, notExercised: 3 };

test('an audit is one line; a red one also has advice', () => {
	const row = (cell: string, verdict: 'unchanged' | 'regressed') => {
		return { cell, metric: 'throughput' as const, verdict, change: -0.1, rounds: 6 };
	};
	const audited = (red: boolean, ...rows: ReturnType<typeof row>[]) => ({
		...resultOf([{ scenario: 'ping', change: 0 }]),
		changed: { changes: [], omitted: 0, notExercised: null, audit: { rows, red } },
	});
	const green = audited(false, row('koa/a', 'unchanged'), row('koa/b', 'unchanged'));
	assert.equal(
		contextOf(buildReport(green), 'Audit'),
		'2 rows that run no changed code were measured: not red, as expected',
	);
	assert.equal(nextOf(green), '');
	const red = audited(true, row('koa/a', 'regressed'));
	assert.equal(
		contextOf(buildReport(red), 'Audit'),
		'1 row that runs no changed code was measured: red, so no row counts as unaffected',
	);
	assert.match(nextOf(red), /^Run again, because .* If it is red again, report it with the raw file\.$/);
	assert.equal(contextOf(buildReport(resultOf([])), 'Audit'), '');
});
const summaryOf = (result: Result) => read(buildReport(result).headline.summary);

test('a run without measurements, because no row runs changed code, passes and names the change', () => {
	const result = { ...resultOf([{ scenario: 'ping', verdict: 'unaffected' }]), changed: CHANGED };
	const words =
		'No scenario runs changed code, so nothing was measured. Changed but not exercised by any scenario: res.sendFile (express/lib/response.js:430) and 2 more.';
	assert.deepEqual([result.gate.outcome, summaryOf(result)], ['pass', words]);
	assert.ok(words.split(' ').length <= 25);
});

test('a run that measured some rows names the change that no row runs, and rows that run no changed code', () => {
	const rows = [
		{ scenario: 'ping', change: 0.001 },
		{ scenario: 'static', verdict: 'unaffected' as const },
	];
	assert.match(
		summaryOf({ ...resultOf(rows), changed: CHANGED }),
		/ in the 1 scenario measured: .* \S*static runs none of the changed code and was not measured\. Changed but not exercised by any scenario: res\.sendFile /,
	);
	assert.doesNotMatch(summaryOf({ ...resultOf(rows), changed: { ...CHANGED, notExercised: null } }), /exercised/);
});

test('only rows that no round can decide are described as beyond more rounds', () => {
	const { cells, ...rest } = resultCase('inconclusive');
	const runOf = (codes: readonly string[]) => {
		const warnings = codes.map((code) => ({ code, message: 'x' }));
		const report = buildReport({ ...rest, ended: 'decided', cells: cells.map((cell) => ({ ...cell, warnings })) });
		return read(report.brief.find(({ label }) => label === 'Run')?.value ?? []);
	};
	assert.match(runOf([]), /; all planned rounds were run$/);
	assert.match(runOf(['put-off']), /; more rounds would not have decided the rest$/);
});
