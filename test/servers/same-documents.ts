/** That servers answer alike. */
import assert from 'node:assert/strict';
import type { CatalogueServer } from '../../src/config/catalogue.ts';
import type { Answer } from '../../src/measure/answers/answer.ts';
import type { HttpRequest, Scenario } from '../../src/types/config.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Document {
	readonly status: number;
	readonly document: unknown;
}

/** What a server answers to the requests of what it declares. */
export interface Told {
	readonly declared: CatalogueServer;
	/** By scenario, and check of it. */
	readonly documents: ReadonlyMap<string, Document>;
}

/** Asks a server every request of what it declares, once, and returns what it answers. */
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
 * Holds each server to what the first one answered that was asked the same: of errors, what says what it is about has documents of its
 * own, and only the status is compared.
 */
export function assertSameDocuments(told: readonly Told[]): void {
	const reference = new Map<string, Document>();
	for (const { declared, documents } of told) {
		const { name, about } = declared;
		for (const [label, answer] of documents) {
			const expected = reference.get(label) ?? answer;
			reference.set(label, expected);
			// What wraps others may have error documents of its own.
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

/** What an answer says, without what is drawn anew for each. */
function documentOf({ status, headers, body }: Answer): Document {
	// A redirect may have a text for people.
	if (body === '' || (status >= 300 && status < 400)) return { status, document: null };
	if (!/^application\/json/.test(headers['content-type'] ?? '')) return { status, document: body };
	const withoutIds = (_key: string, value: unknown) => (typeof value === 'string' && UUID.test(value) ? 'id' : value);
	return { status, document: JSON.parse(body, withoutIds) };
}
