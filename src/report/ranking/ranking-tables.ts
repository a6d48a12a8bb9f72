/** Tables that compare servers and scenarios. */

import { max, mean, median, min } from 'simple-statistics';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatPair, NONE } from '../../text/numbers.ts';
import { nameRuntime } from '../../text/runtime-words.ts';
import { METRICS } from '../../types/metric.ts';
import {
	COMPARISON_KINDS,
	type RankedServer,
	type RankingResult,
	type RankingRow,
} from '../../types/ranking/ranking.ts';
import type { RankedScenario } from '../../types/ranking/ranking-setup.ts';
import { RUNTIME_NAMES } from '../../types/runtime.ts';
import type { WordedTable } from '../document/document.ts';
import { comparedRates } from './compared/compared-rates.ts';
import { writeLoss } from './compared/wrapper-tables.ts';
import { writeLoad } from './load-words.ts';
import { figureColumn, own, writeCov, writePart, writeVariation } from './ranking-figures.ts';
import { LESS_IS_BETTER, LOSS_TITLES, nameDeviation, nameOf, STATE_WORDS } from './ranking-words.ts';

/** Packages per server. */
const MOST_PACKAGES = 8;

export function lossTables(result: RankingResult): readonly WordedTable[] {
	return COMPARISON_KINDS.filter((kind) => kind !== 'wrapper').flatMap((kind) => {
		const compared = comparedRates(result, kind);
		const [first] = compared;
		if (first === undefined) return [];
		const { row, against } = first;
		const titles = ['server', `${against.scenario}, requests/s`, `${row.scenario}, requests/s`, 'loss'];
		return [
			{
				title: LOSS_TITLES[kind],
				columns: titles.map((label, at) => ({
					label: plainText(label, NAME_LIMIT),
					align: at === 0 ? ('left' as const) : ('right' as const),
				})),
				rows: compared.map(({ row, texts, loss }) => [
					nameOf(row.server),
					own(texts.against),
					own(texts.row),
					own(writeLoss(loss.value)),
				]),
				note: 'Requests per second of the server alone in both scenarios. There is no interval, because two scenarios are never loaded at the same time.',
			},
		];
	});
}

/** Returns shares over all scenarios: a table for the reference (with several scenarios) and each of `percentOf`. */
export function shareTables({ rows, setup, servers, percentOf = [] }: RankingResult): readonly WordedTable[] {
	const isPaired = setup.preset === null;
	const whole = isPaired && setup.scenarios.length > 1 ? [setup.reference] : [];
	const find = (server: string, scenario: string) =>
		rows.find((row) => row.server === server && row.scenario === scenario);
	return [...new Set([...whole, ...percentOf])].map((of) => {
		const partIn = (server: string, scenario: string) => writePart(find(server, scenario), find(of, scenario));
		// In a preset, starts and memory have no shares.
		const shownScenarios = setup.scenarios.filter(
			({ metrics, name: scenario }) => !metrics || servers.some(({ name }) => partIn(name, scenario) !== NONE),
		);
		return {
			title: `Percent of ${plainText(of, NAME_LIMIT)}`,
			columns: ['server', ...shownScenarios.map(nameMeasured)].map((label, at) => ({
				label,
				align: at === 0 ? ('left' as const) : ('right' as const),
			})),
			rows: servers.map(({ name }) => [
				nameOf(name),
				...shownScenarios.map((scenario) => own(partIn(name, scenario.name))),
			]),
			note: [
				isPaired
					? 'Calculated from the shares of one reference. The table of each scenario has the intervals.'
					: 'Calculated from the requests per second of each server alone; where the load generator was at its limit, from CPU time per request.',
				...(shownScenarios.some(({ metrics }) => metrics) ? [LESS_IS_BETTER] : []),
			].join(' '),
		};
	});
}

function nameMeasured({ name, metrics: [metric] = [] }: RankedScenario): string {
	const scenarioName = plainText(name, NAME_LIMIT);
	return metric === undefined ? scenarioName : `${scenarioName} (${METRICS[metric].label})`;
}

export function scenariosTable({ setup }: RankingResult): WordedTable {
	return {
		title: 'Scenarios',
		columns: ['scenario', 'request', 'connections', 'pipelining', 'what it exercises'].map((label, at) => ({
			label,
			align: at === 2 || at === 3 ? ('right' as const) : ('left' as const),
		})),
		rows: setup.scenarios.map((scenario) => [
			nameOf(scenario.name),
			nameOf(scenario.request),
			...writeLoad(scenario).map(own),
			[{ text: plainText(scenario.description, MESSAGE_LIMIT) }],
		]),
		note: 'Every answer is checked before load, and so is each request that must be refused. Under load every status is counted, and some of the bodies are compared.',
	};
}

export function noisyTable({ variation: { noisy }, rows }: RankingResult): WordedTable | null {
	if (noisy.length === 0) return null;
	const spreads = noisy.map(
		({ server, scenario }) => rows.find((row) => row.server === server && row.scenario === scenario)?.variation,
	);
	const sd = figureColumn(
		'sd of requests/s',
		'requests/s',
		spreads.map((spread) => spread?.throughput.sd ?? null),
	);
	const late = figureColumn(
		'sd of p99',
		'ms',
		spreads.map((spread) => spread?.p99.sd ?? null),
	);
	return {
		title: 'Noisy rows',
		columns: ['row', 'sd of requests/s', 'CoV of requests/s', late?.label ?? 'sd of p99', 'CoV of p99'].map(
			(label, at) => ({
				label,
				align: at === 0 ? ('left' as const) : ('right' as const),
			}),
		),
		rows: noisy.map(({ server, scenario, throughput, p99 }, at) => [
			nameOf(`${server}/${scenario}`),
			own(sd?.texts[at] ?? NONE),
			own(writeCov(throughput)),
			own(late?.texts[at] ?? NONE),
			own(writeCov(p99)),
		]),
		note: 'The requests per second of these servers alone differ by 5 % or more from round to round. Shares of the reference differ less, because noise slows both servers alike.',
	};
}

/** Returns up to `most` packages per server: its direct dependencies, or all if it has none. */
export function versionsTable(result: RankingResult, most = MOST_PACKAGES): WordedTable {
	const { servers } = result;
	const isMixed = servers.some(({ runtime }) => runtime !== undefined);
	const namesOf = ({ versions, direct }: RankedServer) =>
		direct.length > 0 ? direct.filter((one) => versions[one] !== undefined) : Object.keys(versions);
	const packagesOf = (server: RankedServer) => {
		const listed = namesOf(server).map((one) => plainText(`${one} ${server.versions[one]}`, MESSAGE_LIMIT));
		const more = listed.length > most ? ` and ${listed.length - most} more` : '';
		return listed.length === 0 ? 'none' : `${listed.slice(0, most).join(', ')}${more}`;
	};
	const isCut = servers.some((server) => server.state === 'installed' && namesOf(server).length > most);
	return {
		title: 'Servers and versions',
		columns: ['server', ...(isMixed ? ['runs on'] : []), 'packages', 'what it is'].map((label) => ({
			label,
			align: 'left' as const,
		})),
		rows: servers.map((server) => [
			nameOf(server.name),
			...(isMixed ? [own(runsOn(server, result))] : []),
			[{ text: server.state === 'installed' ? packagesOf(server) : STATE_WORDS[server.state] }],
			[{ text: plainText(server.description, MESSAGE_LIMIT) }],
		]),
		note: `Read from what was installed.${isCut ? ' The HTML page and the JSON file have all of them.' : ''}`,
	};
}

/** If no runtime was requested, a server runs on the current Node or on a runtime among its packages. */
function runsOn(
	{ runtime, versions, direct, state }: RankedServer,
	{ environment, shards = [] }: Pick<RankingResult, 'environment' | 'shards'>,
): string {
	if (runtime) return nameRuntime(runtime);
	const runtimeName = RUNTIME_NAMES.find((name) => direct.includes(name) && versions[name] !== undefined);
	if (runtimeName !== undefined) return nameRuntime({ name: runtimeName, version: versions[runtimeName] ?? '' });
	if (state !== 'installed' || Object.keys(versions).length === 0) return NONE;
	const machines = new Set(shards.flatMap((shard) => shard.environment?.node ?? []));
	return machines.size > 1 ? 'Node of its shard' : nameRuntime({ name: 'node', version: environment.node });
}

/** Later rounds count only in overall figures. */
const MOST_ROUNDS = 10;

/** Returns a table for each scenario in which a row has two rounds. */
export function roundsTables(result: RankingResult): readonly WordedTable[] {
	return result.setup.scenarios.flatMap(({ name }) => {
		const rows = result.rows.filter(({ scenario, throughputs }) => scenario === name && throughputs.length > 1);
		return rows.length === 0 ? [] : [tableOf(result, name, rows)];
	});
}

function tableOf({ setup }: RankingResult, scenario: string, rows: readonly RankingRow[]): WordedTable {
	const most = Math.max(...rows.map(({ throughputs }) => throughputs.length));
	const shown = Array.from({ length: Math.min(most, MOST_ROUNDS) }, (_, at) => at);
	const more =
		most > MOST_ROUNDS
			? ` Only the first ${MOST_ROUNDS} of up to ${most} values are shown; the columns from median on are of all.`
			: '';
	const p99 = figureColumn(
		'sd of p99',
		'ms',
		rows.map(({ variation }) => variation.p99.sd),
	);
	const labels = [...shown.map((at) => String(at + 1)), 'median', 'mean', 'least', 'most', 'sd', 'CoV'];
	const late = p99 === null ? [] : [p99.label, 'CoV of p99'];
	return {
		title: `Rounds of ${plainText(scenario, NAME_LIMIT)}`,
		columns: [
			{ label: 'server', align: 'left' },
			...[...labels, ...late].map((label) => ({ label, align: 'right' as const })),
		],
		rows: rows.map(({ server, throughputs, variation }, row) => {
			const values = throughputs as number[];
			return [
				nameOf(server),
				...shown.map((at) => own(values[at] === undefined ? NONE : write(values[at]))),
				...[median, mean, min, max].map((of) => own(write(of(values)))),
				own(write(variation.throughput.sd)),
				own(writeVariation(variation.throughput)),
				...(p99 === null ? [] : [own(p99.texts[row] ?? NONE), own(writeVariation(variation.p99))]),
			];
		}),
		note: `Requests per second of the server alone in each round. The reference has one value for every server that it was measured with. sd is the ${nameDeviation(setup)}${p99 === null ? '' : ', of requests/s and of the latency p99'}.${more}`,
	};
}

function write(value: number | null): string {
	return formatPair(value, null, 'requests/s').base;
}
