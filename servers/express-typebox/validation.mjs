/** Validates bodies with TypeBox, which compiles its schemas. */
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { typeboxSchemas } from '../shared/typebox-schemas.mjs';

export const { bookingSchema, nameSchema, profileSchema, userSchema } = typeboxSchemas(Type);

/** Returns a function that checks a document against `schema`. */
export function compile(schema) {
	const validator = Compile(schema);
	return (document) => validator.Check(document);
}
