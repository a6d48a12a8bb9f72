/** How bodies are validated: by TypeBox, which compiles its schemas. */
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { typeboxSchemas } from '../shared/typebox-schemas.mjs';

export const { bookingSchema, nameSchema, profileSchema, userSchema } = typeboxSchemas(Type);

/** A function that tells whether a document follows `schema`. */
export function compile(schema) {
	const validator = Compile(schema);
	return (document) => validator.Check(document);
}
