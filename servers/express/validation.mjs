/** Validates bodies with Ajv. */
import { createRequire } from 'node:module';
import { ajvCompiler } from '../shared/ajv.mjs';

export { bookingSchema, nameSchema, profileSchema, userSchema } from '../shared/fixtures.mjs';

/** Returns a function that checks a document against `schema`. The first one loads Ajv. */
export const compile = ajvCompiler(createRequire(import.meta.url));
