import { asMapping } from '../../config/file/check-scenario.ts';
import { readYaml, WrittenNumber } from '../../config/file/read-yaml.ts';
import { parseJson } from '../../text/json.ts';
import { UserError } from '../../types/errors.ts';

export type Mapping = Readonly<Record<string, unknown>>;

/** Not validated, because users write it. */
export interface OpenApi {
	readonly document: Mapping;
	/** Follows references inside the document. Returns null for external references. */
	resolve(value: unknown): Mapping | null;
}

/** Characters; large APIs are described in several megabytes. */
const LARGEST = 16_000_000;
const MOST_STEPS = 20;

/** Accepts JSON and YAML. Throws UserError unless it is OpenAPI 3. */
export function readOpenApi(text: string, file: string): OpenApi {
	const document = asMapping(readJson(text) ?? readYaml(text, file, { keepsNumbers: true, largest: LARGEST }).value);
	const { openapi, swagger } = document;
	if (typeof openapi !== 'string' || !openapi.startsWith('3.')) {
		const what = swagger === undefined ? 'there is no openapi: 3… at its top' : `it has swagger: ${String(swagger)}`;
		throw new UserError({
			code: 'bad-openapi',
			where: `--from ${file}`,
			message: `that is not an OpenAPI 3 document: ${what}`,
			remedy: 'convert it to OpenAPI 3, or run benchgate init without --from and write the scenarios by hand',
		});
	}
	return { document, resolve: (value) => resolve(document, value) };
}

/** The YAML parser takes minutes for what JSON takes a second. Returns undefined for other text. */
function readJson(text: string): unknown {
	try {
		return parseJson(text, (_key, value: unknown, context) =>
			typeof value === 'number' && context?.source !== undefined && context.source !== String(value)
				? new WrittenNumber(value, context.source)
				: value,
		);
	} catch {
		return undefined;
	}
}

/** Local references begin with `#/`; https://spec.openapis.org/oas/v3.1.0#reference-object. */
function resolve(document: Mapping, value: unknown): Mapping | null {
	let current = asMapping(value);
	for (let step = 0; typeof current.$ref === 'string'; step++) {
		if (step === MOST_STEPS || !current.$ref.startsWith('#/')) return null;
		const keys = current.$ref.slice(2).split('/').map(unescapeKey);
		let target: unknown = document;
		for (const key of keys) target = Object.hasOwn(asContainer(target), key) ? asContainer(target)[key] : null;
		if (target === null) return null;
		current = asMapping(target);
	}
	return current;
}

/** Accepts lists too: `#/paths/~1users/get/parameters/0`. */
function asContainer(value: unknown): Mapping {
	return typeof value === 'object' && value !== null ? (value as Mapping) : {};
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-3, in a URL fragment. */
function unescapeKey(key: string): string {
	const plain = key.replaceAll('~1', '/').replaceAll('~0', '~');
	try {
		return decodeURIComponent(plain);
	} catch {
		return plain;
	}
}
