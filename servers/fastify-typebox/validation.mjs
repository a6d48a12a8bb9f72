/**
 * Validates bodies with TypeBox, through its type provider. Answers are serialised by the same schemas as those of the
 * Fastify server.
 */
import { Type, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import { typeboxSchemas } from '../shared/typebox-schemas.mjs';

export const { bookingSchema, nameSchema, profileSchema, userSchema } = typeboxSchemas(Type);

export const validation = {
	options: {},
	/** Makes an application validate with it. */
	use(app) {
		app.setValidatorCompiler(TypeBoxValidatorCompiler);
	},
};
