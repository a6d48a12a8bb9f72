import { answeredBy } from '../../config/answered-scenarios.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import type { Config } from '../../types/config.ts';

/**
 * Returns what the records say of the rows that `config` asks for; a record of other rows alone is left out. Machines that share the
 * rows of a branch write a record each: whether a row was measured, linked or is far from its anchor, only those of its own tell.
 */
export function ownHistory(
	records: readonly BaselineRecord[],
	{ servers, scenarios, gate }: Pick<Config, 'servers' | 'scenarios' | 'gate'>,
): readonly BaselineRecord[] {
	const asked = new Set(
		servers.flatMap((server) =>
			answeredBy(server, scenarios).flatMap(({ name, metrics = gate.metrics }) =>
				metrics.map((metric) => `${server.name}/${name} ${metric}`),
			),
		),
	);
	return records.flatMap((record) => {
		const cells = record.cells.filter(({ server, scenario, metric }) => asked.has(`${server}/${scenario} ${metric}`));
		return cells.length === 0 ? [] : [{ ...record, cells }];
	});
}
