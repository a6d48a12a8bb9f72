/**
 * Compiles schemas with ajv. The build replaces each `*-validator.ts` by generated code, to keep ajv out of the
 * bundles.
 */
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from '../types/schema.ts';

/** Strictness of the schema, and its error messages. */
export type Dialect = 'format' | 'artifact' | 'config';

/** Whether a value is valid. If not, sets `errors`. */
export interface Validator<T> {
	(value: unknown): value is T;
	errors?: ErrorObject[] | null | undefined;
}

/** Compiled on first use. */
export interface LazyValidator<T> extends Validator<T> {
	readonly schema: object;
	readonly dialect: Dialect;
}

const UNIONS = { allowUnionTypes: true } as const;

/** Returns a dialect's compiler; `more` is for the build. */
export function compilerOf(dialect: Dialect, more: Options = {}): Ajv {
	if (dialect === 'format') return new Ajv2020({ ...UNIONS, ...more });
	if (dialect === 'artifact') return new Ajv2020({ ...UNIONS, discriminator: true, ownProperties: true, ...more });
	const errorOptions = { allErrors: true, verbose: true } as const;
	const ajv = new Ajv({ ...errorOptions, strict: true, strictTypes: false, strictRequired: false, ...more });
	return ajv.addVocabulary(['errorMessage']);
}

/**
 * Returns a schema's validator: `format` for benchgate's own files, `artifact` for untrusted ones, `config` for
 * hand-written ones.
 */
export function validatorOf<T>(schema: Schema<T>, dialect: Dialect = 'format'): LazyValidator<T> {
	let compiled: Validator<T> | undefined;
	const validate: Validator<T> = (value): value is T => {
		compiled ??= compilerOf(dialect).compile<T>(schema);
		const valid = compiled(value);
		validate.errors = compiled.errors;
		return valid;
	};
	return Object.assign(validate, { schema, dialect });
}
