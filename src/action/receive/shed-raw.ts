import { isPlainCommand } from '../../text/shell-word.ts';
import type { HarnessInfo, Raw, RevisionInfo } from '../../types/result.ts';
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
	/** Characters of a command. */
	command: 4_000,
} as const;

/** Stands in a block of shell commands. */
const NO_COMMAND = '# the measuring run gave no command that can be shown here';

/**
 * Returns raw data with less to say: what reports do not show anyway, and what would make them slow, is left out by count before
 * anything is made of it. Verdicts are the same.
 */
export function shedRaw(raw: Raw): Raw {
	const { context, plan } = raw;
	return {
		...raw,
		context: {
			...context,
			tool: { name: 'benchgate', version: cut(context.tool.version, SHED_LIMITS.name) },
			base: shedSide(context.base),
			head: shedSide(context.head),
			...(context.harness && { harness: shedHarness(context.harness) }),
			warnings: context.warnings.slice(0, SHED_LIMITS.warnings).map(shedWarning),
			reproduce: isPlain(context.reproduce) ? context.reproduce : NO_COMMAND,
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

function isPlain(command: string): boolean {
	const isShort = command.length <= SHED_LIMITS.command;
	return isShort && command.startsWith('npx benchgate compare ') && isPlainCommand(command);
}

function shedSide(side: RevisionInfo): RevisionInfo {
	let left: number = SHED_LIMITS.packages;
	const versions = Object.entries(side.versions).map(([server, packages]) => {
		const kept = Object.entries(packages).slice(0, left);
		left -= kept.length;
		return [server, Object.fromEntries(kept.map(([name, version]) => [name, cut(version, SHED_LIMITS.name)]))] as const;
	});
	return {
		...side,
		revision: cut(side.revision, SHED_LIMITS.name),
		label: cut(side.label, SHED_LIMITS.name),
		versions: Object.fromEntries(versions.slice(0, SHED_LIMITS.packages)),
	};
}

function shedHarness({ label, folders, ...rest }: HarnessInfo): HarnessInfo {
	const kept = folders.slice(0, SHED_LIMITS.folders).map((folder) => cut(folder, SHED_LIMITS.name));
	return { ...rest, label: cut(label, SHED_LIMITS.name), folders: kept };
}

function shedWarning<T extends Warning | Fault>(warning: T): T {
	return { ...warning, code: cut(warning.code, SHED_LIMITS.name), message: cut(warning.message, SHED_LIMITS.message) };
}

function cut(text: string, most: number): string {
	return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
