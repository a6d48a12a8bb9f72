/** How bodies are validated: by Zod. */
import * as z from 'zod';
import { zodSchemas } from '../shared/zod-schemas.mjs';

export const { nameSchema, profileSchema, userSchema } = zodSchemas(z);

/** A function that tells whether a document follows `schema`. */
export const compile = (schema) => (document) => schema.safeParse(document).success;
