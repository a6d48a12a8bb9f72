import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { injectSides } from '../../src/inject/inject-sides.ts';
import { type Injection, withoutEffect } from '../../src/inject/injection.ts';
import type { PrepareContext } from '../../src/prepare/prepare-context.ts';
import { preparePinned } from '../../src/prepare/prepare-pinned.ts';
import { prepareSides } from '../../src/prepare/prepare-sides.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import type { Config } from '../../src/types/config.ts';
import type { Prepared, PreparedSide } from '../../src/types/prepared.ts';
import type { Sides } from '../../src/types/units.ts';
import type { InjectionEffect } from '../series.ts';
import type { Item } from './item.ts';

/** Returns the config of an item and both of its sides, installed, with the effect in head. */
export async function prepareItem(
	item: Item,
	context: PrepareContext,
): Promise<{ readonly config: Config; readonly prepared: Prepared }> {
	const { effect, server, scenarios, seed } = item;
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const configOf = (names: string) =>
		resolveConfig(null, { ...item.limits, server: names, scenario: scenarios.join(',') }, catalogue, () => seed);
	const config = configOf(server);
	switch (effect.kind) {
		case 'same':
			return { config, prepared: await preparePinned(config, context) };
		case 'injection':
			return { config, prepared: injectSides(await preparePinned(config, context), injectionsOf(effect)) };
		case 'revisions':
			return { config, prepared: await prepareSides(config, effect, context) };
		case 'servers': {
			const prepared = await preparePinned(configOf(`${effect.base},${effect.head}`), context);
			return { config, prepared: crossServers(prepared, server, effect.base, effect.head) };
		}
	}
}

function injectionsOf({ injection, base = withoutEffect(injection) }: InjectionEffect): Sides<Injection> {
	return { base, head: injection };
}

/** Returns `prepared` with one server on each side, both under the name of the cells. */
function crossServers(prepared: Prepared, name: string, base: string, head: string): Prepared {
	const only = (side: PreparedSide, from: string): PreparedSide => {
		const server = side.servers[from];
		if (!server) throw new Error(`${from} was not prepared`);
		const versions = { [name]: server.versions };
		return { ...side, info: { ...side.info, versions }, servers: { [name]: { ...server, name } } };
	};
	const sides = { base: only(prepared.sides.base, base), head: only(prepared.sides.head, head) };
	return { ...prepared, sides, unrelated: true };
}
