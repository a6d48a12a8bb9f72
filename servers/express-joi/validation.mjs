/** How bodies are validated: by Joi. */
import Joi from 'joi';
import { joiSchemas } from '../shared/joi-schemas.mjs';

export const { bookingSchema, nameSchema, profileSchema, userSchema } = joiSchemas(Joi);

/** A function that tells whether a document follows `schema`. */
export const compile = (schema) => (document) => schema.validate(document).error === undefined;
