/** Bounds an artifact's texts, and removes those that could pass for commands. */
import type { Conclusion, Failure } from '../../types/action-run.ts';
import type { HarnessInfo, Raw, Result, RevisionInfo } from '../../types/result.ts';
import type { Fault } from '../../types/round.ts';
import type { Warning } from '../../types/units.ts';

/** Limits per report. Rows have no limit, because the gate needs all. */
export const SHED_LIMITS = {
	/** Per run. */
	warnings: 20,
	/** Per side. */
	packages: 500,
	/** Per harness. */
	folders: 20,
	/** Per turn, which has at most two of a kind. */
	faults: 50,
	/** Characters; likewise `name`. */
	message: 2_000,
	name: 200,
} as const;

/** Reports show it in a block of shell commands. */
const NO_COMMAND = '# the log of the measuring run has the command';
/**
 * Reports show these as code. Only one word is allowed, so `lib/x.js` cannot pass for a command with arguments.
 */
export const WORD = /^[^\s`'"$;&|<>(){}\\]+$/u;
/** Scenario names such as `GET /users`. */
const REQUEST = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/[^\s`'"$;&|<>(){}\\]*$/u;
const CODE = /^[\w-]+$/;
export const PACKAGE = /^(?:@[\w.-]+\/)?[\w.-]+$/;
export const VERSIONS = /^v?\d[\w.+-]*(?:, v?\d[\w.+-]*)*$/;
/** `benchgate.yml at base 1a2b3c4:7`, `input threshold`, `head (topic@1a2b3c4)`. */
const WHERE =
	/^(?:(?:input )?[^\s`'"$;&|<>(){}\\]+(?: (?:at|on) (?:base|head)(?: [0-9a-f]{7})?)?(?::\d+)?|(?:base|head) \([^\s`'"$;&|<>(){}\\]+\))$/u;
export const UNNAMED = 'unnamed';
const HASH = /^[0-9a-f]{40,64}$/;

/**
 * Removes texts that reports do not show or that slow them down, and replaces texts in name fields that are no names.
 * Does not change verdicts.
 *
 * @param reproduce Null if unknown.
 */
export function shedRaw(raw: Raw, reproduce: string | null): Raw {
	const { context, plan } = raw;
	return {
		...raw,
		context: {
			...context,
			tool: {
				name: 'benchgate',
				version: VERSIONS.test(context.tool.version) ? cut(context.tool.version, SHED_LIMITS.name) : UNNAMED,
			},
			base: shedSide(context.base),
			head: shedSide(context.head),
			...(context.harness && { harness: shedHarness(context.harness) }),
			warnings: context.warnings.slice(0, SHED_LIMITS.warnings).map(shedWarning),
			reproduce: reproduce ?? NO_COMMAND,
		},
		plan: {
			...plan,
			oneSided: plan.oneSided.map((cell) => ({ ...cell, reason: cut(cell.reason, SHED_LIMITS.message) })),
		},
		rounds: raw.rounds.map((round) => ({
			...round,
			cells: round.cells.map((turn) => ({
				...turn,
				faults: turn.faults.slice(0, SHED_LIMITS.faults).map(shedWarning) as readonly Fault[],
			})),
		})),
		refused: raw.refused.map(({ cell, fault, others }) => ({
			cell,
			fault: shedWarning(fault),
			...(others && { others: others.slice(0, SHED_LIMITS.faults).map(shedWarning) }),
		})),
	};
}

/** Reduces a failure to code, place and message. Its remedy is removed, because only our own are shown. */
export function shedFailure(conclusion: Exclude<Conclusion, { kind: 'compared' }>): Conclusion {
	if (conclusion.kind === 'unchanged') {
		const [base, head] = [conclusion.base, conclusion.head].map(({ label }) => ({ label: labelOf({ label }) }));
		return { ...conclusion, ...(base && { base }), ...(head && { head }) };
	}
	if (conclusion.kind !== 'failed') return conclusion;
	const { failure } = conclusion;
	const where = failure.where !== null && WHERE.test(failure.where) ? failure.where : null;
	const shed: Failure = { ...failure, code: CODE.test(failure.code) ? failure.code : UNNAMED, where, remedy: null };
	return { kind: 'failed', failure: shed };
}

/** Renames rows that the base branch does not know, unless the name is one word or a request. */
export function nameRows(
	result: Result,
	isKnownRow: (row: Pick<Result['cells'][number], 'server' | 'scenario'>) => boolean,
): Result {
	const others = [...new Set(result.cells.flatMap(({ server, scenario }) => [server, scenario]))];
	const named = (name: string) =>
		WORD.test(name) || REQUEST.test(name) ? name : `${UNNAMED}-${others.indexOf(name) + 1}`;
	return {
		...result,
		cells: result.cells.map((cell) =>
			isKnownRow(cell) ? cell : { ...cell, server: named(cell.server), scenario: named(cell.scenario) },
		),
	};
}

function shedSide({ built: _, subject, ...side }: RevisionInfo): RevisionInfo {
	let packagesLeft: number = SHED_LIMITS.packages;
	const servers = Object.entries(side.versions).filter(([server]) => WORD.test(server));
	const versions = servers.map(([server, packages]) => {
		const kept = Object.entries(packages)
			.filter(([name]) => PACKAGE.test(name))
			.slice(0, packagesLeft);
		packagesLeft -= kept.length;
		return [
			server,
			Object.fromEntries(
				kept.map(([name, version]) => [name, VERSIONS.test(version) ? cut(version, SHED_LIMITS.name) : UNNAMED]),
			),
		] as const;
	});
	return {
		...side,
		revision: cut(side.revision, SHED_LIMITS.name),
		label: labelOf(side),
		...(subject && PACKAGE.test(subject.name) && VERSIONS.test(subject.version) && { subject }),
		versions: Object.fromEntries(versions.slice(0, SHED_LIMITS.packages)),
	};
}

function labelOf({ label, sha = '' }: Pick<RevisionInfo, 'label' | 'sha'>): string {
	if (WORD.test(label)) return cut(label, SHED_LIMITS.name);
	return HASH.test(sha) ? sha.slice(0, 7) : UNNAMED;
}

function shedHarness({ label, folders, ...rest }: HarnessInfo): HarnessInfo {
	const kept = folders.filter((folder) => WORD.test(folder)).slice(0, SHED_LIMITS.folders);
	return { ...rest, label: labelOf({ ...rest, label }), folders: kept.map((folder) => cut(folder, SHED_LIMITS.name)) };
}

export function shedWarning<T extends Warning | Fault>(warning: T): T {
	const code = CODE.test(warning.code) ? cut(warning.code, SHED_LIMITS.name) : UNNAMED;
	return { ...warning, code, message: cut(warning.message, SHED_LIMITS.message) };
}

function cut(text: string, most: number): string {
	return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
