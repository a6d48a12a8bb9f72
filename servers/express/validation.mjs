/** How bodies are validated: by Ajv. */
import { createRequire } from 'node:module';

export { nameSchema, profileSchema, userSchema } from '../shared/fixtures.mjs';

const require = createRequire(import.meta.url);

/** A function that tells whether a document follows `schema`. Ajv is loaded with the first one. */
export function compile(schema) {
	const Ajv = require('ajv').default;
	return require('ajv-formats')(new Ajv()).compile(schema);
}
