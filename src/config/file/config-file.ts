import type { CustomServer, Design, InconclusivePolicy, Scenario } from '../../types/config.ts';
import type { MetricName } from '../../types/metric.ts';
import type { Fraction, Seconds } from '../../types/units.ts';

/** What a `benchgate.yml` says, valid in itself; what it leaves out is absent. */
export interface ConfigFile {
	/** File it was read from, for messages. */
	readonly file: string;
	readonly subject?: string;
	readonly prepare?: string;
	/** Names of built-in servers, and the file's own. */
	readonly servers?: readonly (string | CustomServer)[];
	/** Names of built-in scenarios and groups, and the file's own. */
	readonly scenarios?: readonly (string | Scenario)[];
	readonly threshold?: Fraction;
	readonly tolerance?: Fraction;
	readonly budgetSeconds?: Seconds;
	readonly design?: Design;
	readonly onInconclusive?: InconclusivePolicy;
	readonly metrics?: readonly MetricName[];
	readonly seed?: number;
}
