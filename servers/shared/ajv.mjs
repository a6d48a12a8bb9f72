/**
 * Returns a function that compiles a schema with Ajv and its formats; what it returns tells whether a document follows the schema.
 * @param require That of the server: both packages are its own, and a process that validates nothing does not load them.
 */
export const ajvCompiler = (require) => (schema) => {
	const Ajv = require('ajv').default;
	return require('ajv-formats')(new Ajv()).compile(schema);
};
