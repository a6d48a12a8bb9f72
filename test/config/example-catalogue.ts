import type { Catalogue } from '../../src/config/catalogue.ts';
import type { Scenario } from '../../src/types/config.ts';

/** Returns a built-in scenario that answers GET /NAME with 200. */
export function builtinScenario(name: string, groups: readonly string[] = []): Scenario {
	return {
		name,
		description: `What ${name} does.`,
		groups,
		request: { method: 'GET', path: `/${name}`, headers: {} },
		expect: { status: [200] },
		checks: [],
		load: { connections: 20, pipelining: 1 },
		origin: 'built-in',
	};
}

/** A small catalogue for tests: two frameworks, plain Node, two core scenarios and one other. */
export const CATALOGUE: Catalogue = {
	servers: [
		{
			name: 'express',
			description: 'Express.',
			dependencies: ['express', 'etag'],
			versions: { express: '5.3.0', etag: '1.8.1' },
		},
		{ name: 'fastify', description: 'Fastify.', dependencies: ['fastify'], versions: { fastify: '5.12.8' } },
		{ name: 'node-http', description: 'No framework.', dependencies: ['etag'], versions: { etag: '1.8.1' } },
	],
	scenarios: [
		builtinScenario('ping', ['core']),
		builtinScenario('json-post', ['core']),
		builtinScenario('validate-10'),
	],
};
