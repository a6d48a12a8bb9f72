/** The schema service of the Pikku servers: without one Pikku validates nothing. */
export class AjvSchemas {
	#validators = new Map();
	#schemas = new Map();
	#ajv;
	#InvalidError;

	/** `InvalidError` is thrown for a document that does not follow its schema. */
	constructor(ajv, InvalidError) {
		this.#ajv = ajv;
		this.#InvalidError = InvalidError;
	}

	/** Pikku calls it for every request; a schema is compiled once. */
	compileSchema(name, schema) {
		if (this.#schemas.get(name) === schema) return;
		this.#schemas.set(name, schema);
		this.#validators.set(name, this.#ajv.compile(schema));
	}

	validateSchema(name, document) {
		const isValid = this.#validators.get(name);
		if (!isValid(document)) throw new this.#InvalidError(this.#ajv.errorsText(isValid.errors));
	}

	getSchemaNames() {
		return new Set(this.#validators.keys());
	}

	getSchemaKeys(name) {
		return Object.keys(this.#schemas.get(name)?.properties ?? {});
	}
}
