/** Validates bodies with Joi. */
import Joi from 'joi';
import { joiSchemas } from '../shared/joi-schemas.mjs';

export const { bookingSchema, nameSchema, profileSchema, userSchema } = joiSchemas(Joi);

/** Returns a function that checks a document against `schema`. */
export const compile = (schema) => (document) => schema.validate(document).error === undefined;
