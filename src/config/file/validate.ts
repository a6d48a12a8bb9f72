import type { ErrorObject } from 'ajv';
import type { Validator } from '../../formats/validator-of.ts';
import { didYouMean, suggest } from '../suggest.ts';
import type { JsonSchema } from './config-schema-parts.ts';
import { type Path, type Problem, refusal } from './problem.ts';
import type { YamlSource } from './read-yaml.ts';

export function findProblems(source: YamlSource, validate: Validator<object>): Problem[] {
	if (validate(source.value)) return [];
	return (validate.errors ?? []).flatMap((error) => {
		const explained = explain(error);
		return explained ? [{ ...explained, line: source.lineOf(explained.at) }] : [];
	});
}

interface Explained {
	readonly path: Path;
	/** Differs from `path` for an unknown key. */
	readonly at: Path;
	readonly message: string;
}

function explain(error: ErrorObject): Explained | undefined {
	const path = parsePointer(error.instancePath);
	const parent = (error.parentSchema ?? {}) as JsonSchema;
	// Nested errors already describe these failures.
	if (error.keyword === 'if' || error.propertyName !== undefined) return undefined;
	switch (error.keyword) {
		case 'additionalProperties': {
			const key = String(error.params.additionalProperty);
			const allowed = Object.keys(parent.properties as object);
			return {
				path: [...path, key],
				at: [...path, key],
				message: `unknown key${didYouMean(key, allowed, 'allowed:')}`,
			};
		}
		case 'propertyNames': {
			const key = String(error.params.propertyName);
			const form = (error.schema as JsonSchema).errorMessage;
			return { path, at: [...path, key], message: refusal(key, form) };
		}
		case 'required': {
			const key = String(error.params.missingProperty);
			const form = (parent.properties as Record<string, JsonSchema>)[key]?.errorMessage;
			return { path, at: path, message: `${key} is missing${form === undefined ? '' : `; ${form}`}` };
		}
		case 'not':
			return { path, at: path, message: String(parent.errorMessage) };
		case 'uniqueItems':
			return { path, at: path, message: 'the same item is given twice; keep one' };
		case 'enum': {
			const words = (parent.enum as unknown[]).map(String);
			const nearest = suggest(String(error.data), words);
			const hint = `did you mean "${nearest}"?`;
			const form = String(parent.errorMessage);
			const both = words.length > MOST_WORDS ? `${hint} Otherwise ${form}` : `${form}; ${hint}`;
			return { path, at: path, message: refusal(error.data, nearest === undefined ? form : both) };
		}
		default:
			return { path, at: path, message: refusal(error.data, parent.errorMessage ?? error.message) };
	}
}

/** The nearest of more words stands first, so it is seen. */
const MOST_WORDS = 8;

/** Decodes a JSON pointer (RFC 6901); digits become indexes. */
function parsePointer(pointer: string): Path {
	const keys = pointer.split('/').slice(1);
	return keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key.replaceAll('~1', '/').replaceAll('~0', '~')));
}
