import type { CustomServer, Scenario } from '../../types/config.ts';
import type { PrepareAs } from '../../types/isolation.ts';
import type { GateMetric } from '../margins.ts';
import type { FileOption, OptionValues } from '../option-names.ts';

/** What a `benchgate.yml` says, valid in itself; what it leaves out is absent. */
export interface ConfigFile extends Partial<Pick<OptionValues, FileOption>> {
	/** File it was read from, for messages. */
	readonly file: string;
	readonly prepare?: string;
	/** As `Config` has it: without `./` and a slash at the end. */
	readonly harness?: readonly string[];
	/** In the same form. */
	readonly reads?: readonly string[];
	readonly prepareAs?: PrepareAs;
	/** Names of built-in servers, and the file's own. */
	readonly servers?: readonly (string | CustomServer)[];
	/** Names of built-in scenarios and groups, and the file's own. */
	readonly scenarios?: readonly (string | Scenario)[];
	readonly metrics?: readonly GateMetric[];
	/** `2026-12-24`. */
	readonly enforceAfter?: string;
}
