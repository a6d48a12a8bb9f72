/** Finds obstacles in the settings of a measuring job. */
import { asList, asMapping } from '../../config/file/check-scenario.ts';
import type { Path } from '../../config/file/problem.ts';
import { OPTIONS } from '../../config/options.ts';
import { formatDuration } from '../../text/numbers.ts';
import { joinWords } from '../../text/phrase.ts';
import type { Finding } from '../../types/finding.ts';
import type { Seconds } from '../../types/units.ts';
import { nameCall, noteOn, problemIn } from './check-call.ts';
import { type Mapping, rolesOf, type WorkflowCall } from './workflow-calls.ts';

export interface Wanted {
	/** Of a comparison; null for an unusable config. */
	readonly budgetSeconds: Seconds | null;
	readonly service: Service | null;
}

export interface Service {
	readonly name: string;
	readonly where: string;
	readonly isSure: boolean;
}

type Rule = (call: WorkflowCall, wanted: Wanted) => readonly Finding[];

const SETUP_SECONDS = 120;
/** Of benchmark.yml. */
const USUAL_LIMIT = 45;
/** Of GitHub. */
const LONGEST_LIMIT = 360;

const RULES: readonly Rule[] = [
	checkRunner,
	checkTimeLimit,
	checkPaths,
	checkMatrixKeys,
	checkMatrixUse,
	checkService,
	checkFailure,
];

/** Returns the findings on a job that compares. */
export function checkJob(call: WorkflowCall, wanted: Wanted): readonly Finding[] {
	return rolesOf(call).includes('compare') ? RULES.flatMap((rule) => rule(call, wanted)) : [];
}

function checkRunner(call: WorkflowCall): readonly Finding[] {
	const label = labelsOf(call).find((name) => /windows/i.test(name));
	if (label === undefined) return [];
	const isExcluded = asList(matrixOf(call)?.exclude).some((one) => Object.values(asMapping(one)).includes(label));
	if (isExcluded) return [];
	const text = `${at(call, matrixOf(call) === null ? ['runs-on'] : ['strategy', 'matrix'])} runs on ${label}, where benchgate does not run`;
	return [problemIn(text, 'measure on ubuntu-latest alone: take the label out of the matrix, or give benchgate a job')];
}

function checkTimeLimit(call: WorkflowCall, { budgetSeconds }: Wanted): readonly Finding[] {
	const { described, caller, inputs, reusable } = call;
	if (inputs.shards !== undefined) return [];
	const limits =
		reusable === null
			? [described['timeout-minutes'] ?? LONGEST_LIMIT, caller['timeout-minutes'] ?? LONGEST_LIMIT]
			: [inputs['timeout-minutes'] ?? USUAL_LIMIT];
	const minutes = Math.min(...limits.map(Number).filter((limit) => limit > 0));
	const budgetText = inputs.budget;
	const budget = budgetText === undefined ? budgetSeconds : OPTIONS.budget.kind.parse(String(budgetText));
	if (budget == null || !Number.isFinite(minutes) || 60 * minutes >= budget + SETUP_SECONDS) return [];
	const key = [['timeout-minutes'], ['with', 'timeout-minutes']].find((path) => lineIn(call, path) !== null);
	const text = `${key === undefined ? nameCall(call) : at(call, key)} ends the job after ${formatDuration(60 * minutes)}, which cuts off a budget of ${formatDuration(budget)} and the ${formatDuration(SETUP_SECONDS)} before it for checkout, install and build (an estimate): nothing is reported then`;
	const enough = Math.ceil((budget + SETUP_SECONDS) / 60) + 3;
	return [problemIn(text, `write timeout-minutes: ${enough}, or a smaller budget`)];
}

function checkPaths(call: WorkflowCall): readonly Finding[] {
	const event = call.events.get('pull_request');
	const key = ['paths', 'paths-ignore'].find((name) => event?.[name] !== undefined);
	if (key === undefined) return [];
	const line = call.lineOf(['on', 'pull_request', key]);
	const text = `${nameCall(call, line)} has ${key}: on pull_request. If its check is required, a pull request without such files waits for it for ever`;
	return [
		noteOn(
			'workflows',
			text,
			'leave the filter out: with skip-unchanged benchgate passes by itself, and reads: in the config names the files that count',
		),
	];
}

function checkMatrixKeys(call: WorkflowCall): readonly Finding[] {
	const matrix = matrixOf(call);
	if (matrix === null || countJobs(matrix) === 1) return [];
	const isShared = (name: string) => !/\b(?:matrix|strategy)\b/.test(String(call.inputs[name] ?? ''));
	const shared = ['comment-key', 'artifact-name'].filter(isShared);
	if (shared.length === 0) return [];
	const [dimension = 'node'] = dimensionsOf(matrix);
	const values = shared.map(
		(name) => `${name}: ${name === 'artifact-name' ? 'benchgate-' : ''}\${{ matrix.${dimension} }}`,
	);
	const text = `${at(call, ['strategy', 'matrix'])} gives all jobs of its matrix the same ${joinWords(shared)}, so they overwrite one comment, check and artifact`;
	return [problemIn(text, `give each its own, under with: ${values.join(', ')}`)];
}

function checkMatrixUse(call: WorkflowCall): readonly Finding[] {
	const matrix = matrixOf(call);
	if (matrix === null) return [];
	const { strategy: _, name: __, ...job } = call.described;
	const { 'comment-key': ___, 'artifact-name': ____, ...inputs } = call.inputs;
	const withoutKeys = call.reusable === null ? { ...job, steps: stepsWithout(call, inputs) } : { ...job, with: inputs };
	const text = JSON.stringify(withoutKeys);
	if (/toJSON\(\s*matrix\s*\)/i.test(text)) return [];
	const unused = dimensionsOf(matrix).filter(
		(key) => !text.includes(`matrix.${key}`) && !text.includes(`matrix['${key}']`),
	);
	return unused.map((key) =>
		noteOn(
			'workflows',
			`${at(call, ['strategy', 'matrix', key])} has ${key} in its matrix, and nothing but a name reads matrix.${key}, so its jobs measure the same`,
			`pass it on, for example with: { runtime: node@\${{ matrix.${key} }} }, or take it out`,
		),
	);
}

function stepsWithout(call: WorkflowCall, inputs: Mapping): readonly unknown[] {
	return asList(call.described.steps).map((step) => (step === call.caller ? { ...call.caller, with: inputs } : step));
}

const STARTS_SERVICE = /\bdocker|\bservice\s|\bsystemctl\b|\bpg_ctl|postgres|mysql|maria|mongo|redis/i;

function checkService(call: WorkflowCall, { service }: Wanted): readonly Finding[] {
	if (service === null || !labelsOf(call).every((label) => /^ubuntu/.test(label))) return [];
	const steps = call.stepsBefore.some((step) => STARTS_SERVICE.test(JSON.stringify(step)));
	if (call.reusable === null && (steps || call.described.services !== undefined)) return [];
	const none = call.reusable === null ? 'the job starts none' : `${call.reusable} can start none`;
	const text = `${nameCall(call)}: ${service.where} ${service.isSure ? 'needs' : 'depends on a client of'} ${service.name}, and ${none}`;
	const remedy =
		'measure in a job with services: and the action as a step (docs/tutorials/service-database.md), or start one with prepare';
	return [service.isSure ? problemIn(text, remedy) : noteOn('workflows', text, remedy)];
}

function checkFailure(call: WorkflowCall): readonly Finding[] {
	const { described, caller, inputs } = call;
	const isIgnored = [described, caller].some((keys) => keys['continue-on-error'] === true);
	if (!isIgnored || inputs.gate === 'advisory') return [];
	const text = `${nameCall(call)} has continue-on-error: true, so a slowdown leaves the job green`;
	return [noteOn('workflows', text, 'take it out; to report only, write gate: advisory')];
}

type Dimensions = Readonly<Record<string, unknown>>;

/** Empty for a computed matrix. */
function matrixOf({ described }: WorkflowCall): Dimensions | null {
	const { matrix } = asMapping(described.strategy);
	return matrix === undefined ? null : asMapping(matrix);
}

function dimensionsOf({ include, exclude: _, ...matrix }: Dimensions): readonly string[] {
	return [...new Set([...Object.keys(matrix), ...asList(include).flatMap((one) => Object.keys(asMapping(one)))])];
}

/** Infinity for computed values. */
function countJobs({ include, exclude: _, ...matrix }: Dimensions): number {
	const lists = Object.values(matrix);
	if (lists.length === 0) return Array.isArray(include) ? include.length : Number.POSITIVE_INFINITY;
	const sizes = lists.map((list) => (Array.isArray(list) ? list.length : Number.POSITIVE_INFINITY));
	return sizes.reduce((product, size) => product * size, 1);
}

function labelsOf(call: WorkflowCall): readonly string[] {
	const wanted = call.reusable === null ? call.described['runs-on'] : (call.inputs['runs-on'] ?? 'ubuntu-latest');
	const labels = (typeof wanted === 'object' ? [asMapping(wanted).labels ?? wanted].flat() : [wanted]).map(String);
	const matrix = matrixOf(call) ?? {};
	return labels.flatMap((label) => {
		const [, key] = /matrix\.([\w-]+)/.exec(label) ?? [];
		if (key === undefined) return [label];
		const included = asList(matrix.include).map((one) => asMapping(one)[key]);
		return [...asList(matrix[key]), ...included].filter((one) => typeof one === 'string');
	});
}

function at(call: WorkflowCall, path: Path): string {
	return nameCall(call, lineIn(call, path) ?? call.line);
}

function lineIn({ described, job, lineOf }: WorkflowCall, path: Path): number | null {
	let value: unknown = described;
	for (const key of path) value = asMapping(value)[key];
	return value === undefined ? null : lineOf(['jobs', job, ...path]);
}
