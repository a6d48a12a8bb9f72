/** How bodies are validated: by TypeBox, as its type provider has it. Answers are serialised by the same schemas as those of the Fastify server. */
import { Type, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import { typeboxSchemas } from '../shared/typebox-schemas.mjs';

export const { bookingSchema, nameSchema, profileSchema, userSchema } = typeboxSchemas(Type);

export const validation = {
	options: {},
	/** Makes an application validate that way. */
	use(app) {
		app.setValidatorCompiler(TypeBoxValidatorCompiler);
	},
};
