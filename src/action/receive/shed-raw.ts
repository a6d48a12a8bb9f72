/** Limits the text that an artifact can bring into a report, and removes text that a reader could mistake for a command. */
import type { Conclusion, Failure } from '../../types/action-run.ts';
import type { HarnessInfo, Raw, Result, RevisionInfo } from '../../types/result.ts';
import type { Fault } from '../../types/round.ts';
import type { Warning } from '../../types/units.ts';

/** Most that a published report says of each thing. Rows are never left out: the gate must see them all. */
export const SHED_LIMITS = {
	/** Warnings of a run. */
	warnings: 20,
	/** Packages of one side. */
	packages: 500,
	/** Folders of a harness. */
	folders: 20,
	/** Faults of one turn; of a kind there are two at most. */
	faults: 50,
	/** Characters of a message; of a name or label. */
	message: 2_000,
	name: 200,
} as const;

/** Stands in a block of shell commands. */
const NO_COMMAND = '# the log of the measuring run has the command';
/** Names that reports show in code style must be one word, so that `lib/x.js` cannot pass for a command with arguments. */
const WORD = /^[^\s`'"$;&|<>(){}\\]+$/u;
/** Scenario names of the form `GET /users`. */
const REQUEST = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/[^\s`'"$;&|<>(){}\\]*$/u;
const CODE = /^[\w-]+$/;
const PACKAGE = /^(?:@[\w.-]+\/)?[\w.-]+$/;
const VERSIONS = /^v?\d[\w.+-]*(?:, v?\d[\w.+-]*)*$/;
/** `benchgate.yml at base 1a2b3c4:7`, `input threshold`, `head (topic@1a2b3c4)`. */
const WHERE =
	/^(?:(?:input )?[^\s`'"$;&|<>(){}\\]+(?: (?:at|on) (?:base|head)(?: [0-9a-f]{7})?)?(?::\d+)?|(?:base|head) \([^\s`'"$;&|<>(){}\\]+\))$/u;
const UNNAMED = 'unnamed';
const HASH = /^[0-9a-f]{40,64}$/;

/**
 * Returns raw data without text that reports do not show, text that would make them slow, and values in name fields that are not names.
 * Runs before any report is made; verdicts do not change.
 *
 * @param reproduce The command that repeats the run, made by the reporting job; null where it is unknown there.
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

/** Returns a conclusion without a result, reduced to code, place and message. Drops the remedy: only our own advice is shown. */
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

/** Returns a result in which rows unknown to the base branch get a placeholder name unless their name is one word or a request. */
export function nameRows(
	result: Result,
	known: (row: Pick<Result['cells'][number], 'server' | 'scenario'>) => boolean,
): Result {
	const others = [...new Set(result.cells.flatMap(({ server, scenario }) => [server, scenario]))];
	const named = (name: string) =>
		WORD.test(name) || REQUEST.test(name) ? name : `${UNNAMED}-${others.indexOf(name) + 1}`;
	return {
		...result,
		cells: result.cells.map((cell) =>
			known(cell) ? cell : { ...cell, server: named(cell.server), scenario: named(cell.scenario) },
		),
	};
}

function shedSide({ built: _, subject, ...side }: RevisionInfo): RevisionInfo {
	let left: number = SHED_LIMITS.packages;
	const servers = Object.entries(side.versions).filter(([server]) => WORD.test(server));
	const versions = servers.map(([server, packages]) => {
		const kept = Object.entries(packages)
			.filter(([name]) => PACKAGE.test(name))
			.slice(0, left);
		left -= kept.length;
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

/** Returns a warning with a valid code and a bounded message. */
export function shedWarning<T extends Warning | Fault>(warning: T): T {
	const code = CODE.test(warning.code) ? cut(warning.code, SHED_LIMITS.name) : UNNAMED;
	return { ...warning, code, message: cut(warning.message, SHED_LIMITS.message) };
}

function cut(text: string, most: number): string {
	return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
