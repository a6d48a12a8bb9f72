/** That servers answer alike. */
import assert from 'node:assert/strict';
import type { CatalogueServer } from '../../src/config/catalogue.ts';
import type { Answer } from '../../src/measure/answers/answer.ts';
import { ask } from '../../src/measure/answers/ask.ts';
import type { Scenario } from '../../src/types/config.ts';
import { startBuiltin } from '../support/installed-server.ts';
import { nodeFor } from '../support/node-for-server.ts';
import { scenarios, TIMEOUT } from './contract.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Asks the servers that run here every request of what they declare, and holds each to what the first one answered: of errors, what says
 * what it is about has documents of its own, and only the status is compared.
 */
export async function assertSameDocuments(servers: readonly CatalogueServer[]): Promise<void> {
	const reference = new Map<string, unknown>();
	for (const declared of servers) {
		const found = nodeFor(declared);
		if ('skip' in found) continue;
		const { name, about, without = {} } = declared;
		await using server = await startBuiltin(name, {}, found.node);
		const answered = [...scenarios.values()].filter((scenario) => !Object.hasOwn(without, scenario.name));
		for (const [label, request] of answered.flatMap(requestsOf)) {
			const answer = documentOf(await ask(server.origin, request, TIMEOUT));
			if (!reference.has(label)) reference.set(label, answer);
			const expected = reference.get(label) as typeof answer;
			// What wraps others may have error documents of its own.
			if (about !== undefined && answer.status >= 400)
				assert.equal(answer.status, expected.status, `${name}: ${label}`);
			else assert.deepEqual(answer, expected, `${name}: ${label}`);
		}
	}
	assert.ok(reference.size > scenarios.size);
}

function requestsOf(scenario: Scenario) {
	return [
		[scenario.name, scenario.request] as const,
		...scenario.checks.map((check) => [`${scenario.name}, ${check.name}`, check.request] as const),
	];
}

/** What an answer says, without what is drawn anew for each. */
function documentOf({ status, headers, body }: Answer): { status: number; document: unknown } {
	if (body === '') return { status, document: null };
	if (!/^application\/json/.test(headers['content-type'] ?? '')) return { status, document: body };
	const withoutIds = (_key: string, value: unknown) => (typeof value === 'string' && UUID.test(value) ? 'id' : value);
	return { status, document: JSON.parse(body, withoutIds) };
}
