/** How bodies are validated: by Ajv. */
import { createRequire } from 'node:module';
import { ajvCompiler } from '../shared/ajv.mjs';

export { bookingSchema, nameSchema, profileSchema, userSchema } from '../shared/fixtures.mjs';

/** A function that tells whether a document follows `schema`. Ajv is loaded with the first one. */
export const compile = ajvCompiler(createRequire(import.meta.url));
