/** Facts about the whole run. */
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatDuration, formatMoment, formatPercent } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import { differInRuntime, nameRuntime, runtimeOf } from '../../text/runtime-words.ts';
import type { Design } from '../../types/config.ts';
import type { IsolationLevel } from '../../types/isolation.ts';
import { isCounted } from '../../types/metric.ts';
import type { Environment, Result, RevisionInfo } from '../../types/result.ts';
import type { Side } from '../../types/units.ts';
import { describeMachines, describeSaving, describeTimes } from '../shard-words.ts';
import { isAccepted } from './acceptance-words.ts';
import { isUndecidable } from './advice.ts';
import type { Audience } from './audience.ts';
import { countsAs } from './effect.ts';
import { nounOf, type Row } from './rows.ts';
import { describeSmallestDrop } from './tally.ts';

/** Packages per server. */
const MOST_NAMED = 8;

const MOST_SERVERS = 12;

export interface ContextLine {
	readonly label: string;
	readonly value: Phrase;
}

const HOW_LOADED: Readonly<Record<Design, string>> = {
	duet: 'loads both at once on the same CPU',
	alternating: 'loads them in turn, a few seconds each',
	sequential: 'loads one after the other',
};

const WHY_ENDED: Readonly<Record<Exclude<Result['ended'], 'decided'>, string>> = {
	rounds: 'all planned rounds were run',
	budget: 'the budget was used up',
	interrupted: 'interrupted',
};

const WHO_RAN: Readonly<Record<IsolationLevel, string>> = {
	users: 'separate users',
	namespace: 'namespaces of the user that ran benchgate',
	none: 'none: base and head ran as the user that ran benchgate, so each could reach it and the other',
};

const MOST_FOLDERS = 4;

const SMALLEST = 'Smallest detectable slowdown';

/** Returns the essentials: sides, machine, rounds, time, smallest visible slowdown. */
export function describeBriefly(result: Result, rows: readonly Row[]): readonly ContextLine[] {
	const { environment: machine, timing } = result;
	const base = { code: plainText(result.base.label, NAME_LIMIT) };
	const head = { code: plainText(result.head.label, NAME_LIMIT) };
	const model = { text: plainText(machine.cpuModel, NAME_LIMIT) };
	const run =
		timing.roundsRun === 0
			? `ended after ${formatDuration(timing.totalSeconds)}, before the first round`
			: `${countOf(timing.roundsRun, 'round')} in ${describeLength(result)}; ${whyEnded(result)}`;
	const smallest = result.ended === 'interrupted' ? null : describeSmallestDrop(rows);
	return [
		{ label: 'Compared', value: phrase`base ${base}, head ${head}` },
		...describeRuntimes(result),
		...describeHarness(result),
		...(result.shards
			? []
			: [{ label: 'Machine', value: phrase`${model}, ${countOf(machine.cpus, 'CPU')}${onRuntime(result)}` }]),
		...(/^not pinned\b/.test(result.environment.pinning) ? [describePinning(result)] : []),
		...describeIsolation(result),
		{ label: 'Run', value: [run] },
		...describeAudit(result),
		...(smallest ? [{ label: SMALLEST, value: smallest }] : []),
	];
}

export function describeContext(result: Result, rows: readonly Row[], audience: Audience): readonly ContextLine[] {
	const smallest = result.ended === 'interrupted' ? null : describeSmallestDrop(rows);
	const figures = describeFigures(rows);
	return [
		{ label: 'Base', value: describeRevision(result.base) },
		{ label: 'Head', value: describeRevision(result.head) },
		...describeRuntimes(result),
		...describeHarness(result),
		...listVersions(result.base, result.head).map((value) => ({ label: 'Versions', value })),
		...(result.shards
			? describeMachines(result.shards)
			: [{ label: 'Machine', value: describeMachine(result) }, describePinning(result)]),
		...describeIsolation(result),
		{ label: 'Rounds', value: [describeRounds(result, rows)] },
		{ label: 'Limits', value: [describeLimits(result, rows)] },
		{ label: 'How it was decided', value: [describeMethod(result, rows)] },
		{ label: 'Gate', value: describeGate(result, audience) },
		...describeAudit(result),
		...(smallest ? [{ label: SMALLEST, value: smallest }] : []),
		...(figures === '' ? [] : [{ label: 'Base and head figures', value: [figures] }]),
		{ label: 'Time', value: [describeTime(result)] },
		{
			label: 'Made by',
			value: [
				`benchgate `,
				{ text: plainText(result.tool.version, NAME_LIMIT) },
				`, ${formatMoment(result.createdAt)}`,
			],
		},
	];
}

/** A row without numbers was not decided, even if the run ended as `decided`. */
function whyEnded({ ended, cells, timing }: Result): string {
	if (timing.roundsRun === 0) return 'ended before the first round';
	if (ended !== 'decided') return WHY_ENDED[ended];
	if (cells.some(({ warnings }) => warnings.some(({ code }) => code === 'shard-missing')))
		return 'not every shard finished';
	const open = cells.filter(({ verdict }) => verdict === 'inconclusive');
	if (open.length > 0)
		return open.every(isUndecidable) ? 'more rounds would not have decided the rest' : WHY_ENDED.rounds;
	if (cells.every(({ verdict }) => verdict === 'invalid')) return 'no row was left to measure';
	return `every ${cells.some(({ verdict }) => verdict === 'invalid') ? 'other row' : 'row'} was decided`;
}

function describeRevision(info: RevisionInfo): Phrase {
	const sha = /^[0-9a-f]{10,}$/.test(info.sha ?? '') ? phrase` (${{ code: info.sha?.slice(0, 10) ?? '' }})` : [];
	const named = info.subject && info.label !== `${info.subject.name}@${info.subject.version}`;
	const subject = named
		? phrase`, ${{ code: plainText(`${info.subject.name}@${info.subject.version}`, NAME_LIMIT) }}`
		: [];
	return phrase`${{ code: plainText(info.label, NAME_LIMIT) }}${sha}${subject}${describeBuild(info)}`;
}

function describeBuild({ built, subject }: RevisionInfo): Phrase {
	if (built === undefined) return [];
	const code = (text: string) => ({ code: plainText(text, 2 * NAME_LIMIT) });
	const who = built.package === subject?.name ? ['the package'] : [code(built.package)];
	return phrase`, built with ${code(built.command)}, because ${who} names ${code(built.file)}`;
}

function describeRuntimes({ environment }: Result): ContextLine[] {
	if (!differInRuntime(environment)) return [];
	const value = phrase`base ${nameOn(environment, 'base')}, head ${nameOn(environment, 'head')}`;
	return [{ label: 'Runtimes', value }];
}

/** The common runtime, after a comma; empty if they differ. */
function onRuntime({ environment }: Result): Phrase {
	return differInRuntime(environment) ? [] : phrase`, ${nameOn(environment, 'base')}`;
}

function nameOn(environment: Environment, side: Side): { readonly text: string } {
	return { text: plainText(nameRuntime(runtimeOf(environment, side)), NAME_LIMIT) };
}

function describeHarness({ harness }: Result): ContextLine[] {
	if (harness === undefined) return [];
	const folders = harness.folders.slice(0, MOST_FOLDERS).map((folder) => [{ code: plainText(folder, NAME_LIMIT) }]);
	const more = harness.folders.length > MOST_FOLDERS ? ` and ${harness.folders.length - MOST_FOLDERS} more` : '';
	const from = { code: plainText(harness.label, NAME_LIMIT) };
	return [{ label: 'Bench servers', value: phrase`from ${from} on both sides (${joinPhrases(folders, ', ')}${more})` }];
}

function describeMachine({ environment: machine }: Result): Phrase {
	const model = { text: plainText(machine.cpuModel, NAME_LIMIT) };
	const on = differInRuntime(machine) ? '' : `, ${nameRuntime(runtimeOf(machine, 'base'))}`;
	const system = { text: plainText(`${machine.os}, kernel ${machine.kernel}${on}`, 2 * NAME_LIMIT) };
	return phrase`${model}, ${countOf(machine.cpus, 'CPU')}, ${(machine.memoryBytes / 2 ** 30).toFixed(1)} GiB memory, ${system}, load average ${machine.loadAverage.toFixed(2)}`;
}

function describePinning({ environment }: Result): ContextLine {
	return { label: 'Pinning', value: [{ text: plainText(environment.pinning, MESSAGE_LIMIT) }] };
}

/** Empty for older results. */
function describeIsolation({ environment: { isolation } }: Result): ContextLine[] {
	if (isolation === undefined) return [];
	const { level, reason, hidesProcesses, refusesRival } = isolation;
	const lacks = [
		...(hidesProcesses ? [] : ['shared process list, so each could see the other']),
		...(refusesRival === false ? ['shared network, so each could send the other requests'] : []),
	];
	const lack = level === 'none' ? '' : lacks.map((each) => `; ${each}`).join('');
	const why = reason === null ? '' : ` (${plainText(reason, MESSAGE_LIMIT)})`;
	return [{ label: 'Isolation', value: [{ text: `${WHO_RAN[level]}${lack}${why}` }] }];
}

function describeRounds(result: Result, rows: readonly Row[]): string {
	const measured = rows.filter(({ cell }) => !isCounted(cell.judgedBy));
	const perRow = measured.map((row) => row.cell.rounds).filter((rounds) => rounds > 0);
	const [fewest, most] = [Math.min(...perRow), Math.max(...perRow)];
	const some = fewest === most ? `${fewest}` : `${fewest} to ${most}`;
	const used = fewest === result.timing.roundsRun ? 'all' : some;
	const each = perRow.length > 0 ? `; each ${nounOf(rows)} used ${used} of them` : '';
	return `${result.timing.roundsRun}${each}; design ${result.design}; seed ${result.seed}`;
}

function describeLimits({ threshold, tolerance }: Result, rows: readonly Row[]): string {
	const exceptionCount = rows.filter(({ cell }) => cell.threshold !== threshold || cell.tolerance !== tolerance).length;
	const exceptions = exceptionCount === 0 ? '' : `; ${countOf(exceptionCount, 'row')} with other limits`;
	return `threshold ${formatPercent(threshold)} (a larger slowdown fails), tolerance ${formatPercent(tolerance)} (a smaller one is harmless)${exceptions}`;
}

function describeMethod({ design, threshold, tolerance }: Result, rows: readonly Row[]): string {
	const confidence = rows.find((row) => row.cell.interval)?.cell.interval?.confidence ?? 0.9;
	const hasExceptions = rows.some(({ cell }) => cell.threshold !== threshold || cell.tolerance !== tolerance);
	const [beyond, within] = hasExceptions
		? ['its threshold', 'its tolerance']
		: [formatPercent(threshold), formatPercent(tolerance)];
	return [
		`Each round starts a fresh base and a fresh head server, ${HOW_LOADED[design]}, and gives one change per ${nounOf(rows)}.`,
		`Regressed: the measured drop is more than ${beyond}, and we are sure the real drop is more than ${within}.`,
		`Unchanged: we are sure the real drop is less than ${beyond}.`,
		`Each of these is wrong in at most 5 % of runs; the real change lies in the interval in ${formatPercent(confidence)} of runs.`,
	].join(' ');
}

function describeGate(result: Result, audience: Audience): Phrase {
	const { gate, onInconclusive } = result;
	const reasons = gate.reasons.slice(0, 3).map((reason) => [{ text: plainText(reason, MESSAGE_LIMIT) }]);
	const more = gate.reasons.length > 3 ? ` (and ${gate.reasons.length - 3} more)` : '';
	const how = isAccepted(result) ? '; red rows accepted by ' : '; some red rows accepted by ';
	const by = gate.accepted ? phrase`${how}${{ code: plainText(gate.accepted.by, NAME_LIMIT) }}` : [];
	const counts =
		gate.neutral === 'always'
			? phrase`, which is neutral for every value of ${{ code: 'on-inconclusive' }}`
			: gate.outcome === 'inconclusive'
				? phrase`, which ${countsAs(result)} (${{ code: `on-inconclusive: ${onInconclusive}` }})`
				: [];
	const harmless = audience.gate === 'advisory' && gate.outcome !== 'pass' && gate.neutral !== 'always';
	const { answersCommand, outsidePulls, advisoryUntil } = audience;
	const why = advisoryUntil === undefined ? 'gate: advisory' : `enforce-after: ${advisoryUntil}`;
	const code = { code: answersCommand ? '/benchgate' : why };
	const mode = harmless ? phrase`, not enforced (${outsidePulls ? 'not a pull request' : code})` : [];
	return phrase`${{ strong: gate.outcome }}${counts}${mode}${by}: ${joinPhrases(reasons, ' ')}${more}`;
}

function describeAudit({ changed }: Result): ContextLine[] {
	if (changed?.audit === undefined) return [];
	const { rows, red } = changed.audit;
	const cells = new Set(rows.map(({ cell }) => cell)).size;
	const which = `${countOf(cells, 'row')} that ${cells === 1 ? 'runs' : 'run'} no changed code`;
	const outcome = red ? 'red, so no row counts as unaffected' : 'not red, as expected';
	return [{ label: 'Audit', value: [`${which} ${cells === 1 ? 'was' : 'were'} measured: ${outcome}`] }];
}

function describeFigures(rows: readonly Row[]): string {
	const figures = rows.flatMap(({ cell }) => Object.values(cell.metrics));
	const sources = new Set(figures.map(({ source }) => source));
	const ranges = figures.some(({ level }) => level) ? '. A range: something disturbed that measurement' : '';
	const alone = `from a short measurement of one server alone, so they are rough; the change comes from the rounds that ran base and head together${ranges}`;
	const contended = 'measured while base and head shared a CPU, so compare them only with each other';
	if (!sources.has('solo')) return sources.size === 0 ? '' : contended;
	return sources.size === 1 ? alone : `${alone}. Others were ${contended}`;
}

/** Adds `each`, because the budget is per machine. */
function describeLength({ timing, budget, shards }: Result): string {
	if (shards) return `${describeTimes(shards)} (budget ${formatDuration(budget)} each)`;
	return `${formatDuration(timing.measuringSeconds)} (budget ${formatDuration(budget)})`;
}

function describeTime(result: Result): string {
	const { timing, budget } = result;
	if (result.shards)
		return [describeLength(result), describeSaving(result.shards) ?? [], whyEnded(result)].flat().join('; ');
	const share = timing.measuringSeconds > 0 ? ` (${formatPercent(timing.loadSeconds / timing.measuringSeconds)})` : '';
	return `${formatDuration(timing.totalSeconds)} in all: ${formatDuration(timing.measuringSeconds)} measuring, of which ${formatDuration(timing.loadSeconds)}${share} counted; budget ${formatDuration(budget)}; ${whyEnded(result)}`;
}

/** A line per server: packages whose versions differ, its namesake, and the number of equal ones. */
function listVersions(base: RevisionInfo, head: RevisionInfo): readonly Phrase[] {
	const servers = [...new Set([...Object.keys(base.versions), ...Object.keys(head.versions)])];
	const phrases = servers.slice(0, MOST_SERVERS).map((server) => describeServer(server, base, head));
	if (servers.length > MOST_SERVERS) phrases.push([`${servers.length - MOST_SERVERS} more servers in the JSON file`]);
	return phrases;
}

/** Returns a server's packages that differ, except the subject: `router 2.2.0 → 2.3.0`. */
export function changedPackages({ base, head }: Pick<Result, 'base' | 'head'>, server: string): readonly string[] {
	const [on, off] = [packagesOf(base, server), packagesOf(head, server)];
	const names = [...new Set([...on.keys(), ...off.keys()])];
	return names
		.filter((name) => on.get(name) !== off.get(name) && name !== head.subject?.name)
		.map((name) => plainText(`${name} ${on.get(name) ?? 'none'} → ${off.get(name) ?? 'none'}`, NAME_LIMIT));
}

function describeServer(server: string, base: RevisionInfo, head: RevisionInfo): Phrase {
	const [on, off] = [packagesOf(base, server), packagesOf(head, server)];
	const names = [...new Set([...on.keys(), ...off.keys()])];
	const differing = names.filter((name) => on.get(name) !== off.get(name));
	const equal = names.length - differing.length;
	const serverPhrases =
		!differing.includes(server) && on.has(server) ? [codePhrase(`${server} ${on.get(server)}`)] : [];
	const changed = differing
		.slice(0, MOST_NAMED)
		.map((name) => codePhrase(`${name} ${on.get(name) ?? 'none'} → ${off.get(name) ?? 'none'}`));
	const listed = joinPhrases([...serverPhrases, ...changed], ', ');
	const more = differing.length > MOST_NAMED ? `, ${differing.length - MOST_NAMED} more differ` : '';
	const equalPackages =
		names.length === 0 ? 'no packages recorded' : `${countOf(equal, 'package')} equal on both sides`;
	return phrase`${{ code: plainText(server, NAME_LIMIT) }}: ${listed}${more}${listed.length > 0 ? '; ' : ''}${equalPackages}`;
}

/** A map, because names may be `constructor`. */
function packagesOf({ versions }: RevisionInfo, server: string): ReadonlyMap<string, string> {
	return new Map(Object.entries(new Map(Object.entries(versions)).get(server) ?? {}));
}

function codePhrase(text: string): Phrase {
	return [{ code: plainText(text, 2 * NAME_LIMIT) }];
}
