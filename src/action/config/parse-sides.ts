import type { Catalogue } from '../../config/catalogue.ts';
import type { ConfigFile } from '../../config/file/config-file.ts';
import { parseConfig } from '../../config/file/parse-config.ts';
import type { ConfigSource } from '../../types/action-run.ts';
import { isUserError, type UserError } from '../../types/errors.ts';
import type { Side, Sides, Warning } from '../../types/units.ts';
import type { FoundConfig, FoundConfigs } from './find-configs.ts';

/** The configs of a comparison, and whose holds. */
export interface SideFiles extends Sides<ConfigFile | null> {
	/**
	 * The config beside base's code: that of base where both are of one commit; null where that code has none; undefined where
	 * nobody can tell.
	 */
	readonly mergeBase: ConfigFile | null | undefined;
	/** Whether `mergeBase` is another one than `base`. */
	readonly apart: boolean;
	readonly holding: Side;
	/** Whether the base branch has no config that could hold: a change is not judged by its own, so the run only informs. */
	readonly adopting: boolean;
	readonly warnings: readonly Warning[];
}

/**
 * Returns the configs, parsed, the head's first: its faults are the change's own. A base branch's config that is broken must
 * not hold up its repair.
 *
 * @param tipKnown Whether base's config is that of a branch head will be merged into.
 * @throws UserError for a config of head that is not valid, and for one of base that is not when head has none.
 */
export function parseSides(
	found: FoundConfigs,
	catalogue: Catalogue,
	preferred: ConfigSource,
	tipKnown: boolean,
): SideFiles {
	const parse = (one: FoundConfig) => {
		if (one.refusal !== undefined) throw one.refusal;
		return one.text === null ? null : parseConfig(one.text.text, one.text.name, catalogue, one.text.data);
	};
	const head = parse(found.head);
	const [base, broken] = attempt(() => parse(found.base));
	if (broken !== null && head === null) throw broken;
	const { mergeBase } = found;
	const [older, unknown] = mergeBase === undefined ? [base, broken] : attempt(() => parse(mergeBase));
	const missing = base === null && broken === null && head !== null && found.base.searched;
	const unreadable = broken !== null && preferred === 'base';
	const adopting = tipKnown && (missing || unreadable);
	const name = found.head.text?.path ?? found.head.text?.name ?? '';
	return {
		base,
		head,
		mergeBase: unknown === null ? older : undefined,
		apart: mergeBase !== undefined,
		holding: (preferred === 'head' ? head !== null : base === null && head !== null) ? 'head' : 'base',
		adopting,
		warnings: [
			...(unreadable ? [unreadableBase(broken, adopting)] : []),
			...(missing && (adopting || preferred === 'base') ? [noBaseConfig(name, adopting)] : []),
		],
	};
}

/** Returns what a parse gives, or null and the error of the user's that it ends with. */
function attempt<T>(parse: () => T): readonly [T | null, UserError | null] {
	try {
		return [parse(), null];
	} catch (error) {
		if (!isUserError(error)) throw error;
		return [null, error];
	}
}

function noBaseConfig(name: string, adopting: boolean): Warning {
	return {
		code: 'config-from-head',
		message: adopting
			? `The base branch has no ${name} yet, so this run blocks nothing. Once ${name} is merged, its gate applies.`
			: `Base has no config yet, so ${name} applies, thresholds included. Once it is merged, it applies to later changes.`,
	};
}

function unreadableBase({ where, message }: UserError, adopting: boolean): Warning {
	const why = where === undefined ? message : `${where}: ${message}`;
	return {
		code: 'config-from-head',
		message: adopting
			? `The config of the base branch cannot be read, so the one of head applies and this run blocks nothing. ${why}`
			: `The config of head applies, because the one of base cannot be read: ${why}`,
	};
}
