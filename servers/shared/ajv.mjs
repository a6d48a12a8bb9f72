/**
 * Returns a function that compiles a schema with Ajv and its formats into a check of documents.
 * @param require The server's: both packages are its own, and a process that validates nothing does not load them.
 */
export const ajvCompiler = (require) => (schema) => {
	const Ajv = require('ajv').default;
	return require('ajv-formats')(new Ajv()).compile(schema);
};
