/** Validates bodies with Zod: the schemas, and how each framework's server runs them. */
import { zodSchemas } from './zod-schemas.mjs';

/**
 * For the Express server: `compile` returns a function that checks a document against a schema.
 * @param z The module `zod`, of the server's version.
 */
export const zodForExpress = (z) => ({
	...zodSchemas(z),
	compile: (schema) => (document) => schema.safeParse(document).success,
});

const compileForFastify =
	({ schema }) =>
	(document) => {
		const { success, data, error } = schema.safeParse(document);
		return success ? { value: data } : { error: Object.assign(error, { statusCode: 422 }) };
	};

/**
 * For the Fastify server, which serialises answers by the same schemas.
 * @param z The module `zod`, of the server's version.
 */
export const zodForFastify = (z) => ({
	...zodSchemas(z),
	validation: {
		options: {},
		/** Makes an application validate with it. */
		use(app) {
			app.setValidatorCompiler(compileForFastify);
		},
	},
});
