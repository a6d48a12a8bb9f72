/** Servers answer alike. */
import assert from 'node:assert/strict';
import type { CatalogueServer } from '../../src/config/catalogue.ts';
import type { Answer } from '../../src/measure/answers/answer.ts';
import type { HttpRequest, Scenario } from '../../src/types/config.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Document {
	readonly status: number;
	readonly document: unknown;
}

/** A server's answers to the requests of its declared scenarios. */
export interface Told {
	readonly declared: CatalogueServer;
	/** By scenario and check. */
	readonly documents: ReadonlyMap<string, Document>;
}

/** Sends a server every request of its declared scenarios, once, and returns its answers. */
export async function documentsOf(
	{ without = {} }: Pick<CatalogueServer, 'without'>,
	scenarios: Iterable<Scenario>,
	send: (request: HttpRequest) => Promise<Answer>,
): Promise<Told['documents']> {
	const documents = new Map<string, Document>();
	const answered = [...scenarios].filter((scenario) => !Object.hasOwn(without, scenario.name));
	for (const [label, request] of answered.flatMap(requestsOf)) documents.set(label, documentOf(await send(request)));
	return documents;
}

/**
 * Compares each server with the first that answered the same request. For errors a server with a subject may use its
 * own documents, so only the status is compared.
 */
export function assertSameDocuments(told: readonly Told[]): void {
	const reference = new Map<string, Document>();
	for (const { declared, documents } of told) {
		const { name, about } = declared;
		for (const [label, answer] of documents) {
			const expected = reference.get(label) ?? answer;
			reference.set(label, expected);
			// A wrapper may have its own error documents.
			if (about !== undefined && answer.status >= 400)
				assert.equal(answer.status, expected.status, `${name}: ${label}`);
			else assert.deepEqual(answer, expected, `${name}: ${label}`);
		}
	}
}

function requestsOf(scenario: Scenario) {
	return [
		[scenario.name, scenario.request] as const,
		...scenario.checks.map((check) => [`${scenario.name}, ${check.name}`, check.request] as const),
	];
}

/** An answer without the values that are drawn for each. */
function documentOf({ status, headers, body }: Answer): Document {
	// A redirect may have a text for people.
	if (body === '' || (status >= 300 && status < 400)) return { status, document: null };
	if (!/^application\/json/.test(headers['content-type'] ?? '')) return { status, document: body };
	const withoutIds = (_key: string, value: unknown) => (typeof value === 'string' && UUID.test(value) ? 'id' : value);
	return { status, document: JSON.parse(body, withoutIds) };
}
