import type { CustomServer, GatePolicy, Scenario } from '../../types/config.ts';
import type { PrepareAs } from '../../types/isolation.ts';
import type { GateMetric } from '../margins.ts';
import type { FileOption, OptionValues } from '../option-names.ts';

/** A valid `benchgate.yml`. Keys that the file lacks are absent. */
export interface ConfigFile extends Partial<Pick<OptionValues, FileOption>> {
	readonly file: string;
	readonly prepare?: string;
	/** Without leading `./` and trailing slash. */
	readonly harness?: readonly string[];
	readonly reads?: readonly string[];
	readonly prepareAs?: PrepareAs;
	/** Built-in names, or definitions. */
	readonly servers?: readonly (string | CustomServer)[];
	/** Built-in names and groups, or definitions. */
	readonly scenarios?: readonly (string | Scenario)[];
	readonly metrics?: readonly GateMetric[];
	readonly enforceAfter?: string;
	readonly uncovered?: GatePolicy['uncovered'];
}
