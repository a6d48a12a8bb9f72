/** How bodies are validated: by Zod. Answers are serialised by the same schemas as those of the Fastify server. */
import * as z from 'zod';
import { zodSchemas } from '../shared/zod-schemas.mjs';

export const { nameSchema, profileSchema, userSchema } = zodSchemas(z);

const compile =
	({ schema }) =>
	(document) => {
		const { success, data, error } = schema.safeParse(document);
		return success ? { value: data } : { error: Object.assign(error, { statusCode: 422 }) };
	};

export const validation = {
	options: {},
	/** Makes an application validate that way. */
	use(app) {
		app.setValidatorCompiler(compile);
	},
};
