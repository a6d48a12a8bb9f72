/** How the shape of a file is checked. The build makes a file of code of each `*-validator.ts`, and no bundle holds ajv. */
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from '../types/schema.ts';

/** Whose words a schema is written in, and what the message about a refused value says. */
export type Dialect = 'format' | 'artifact' | 'config';

/** Returns whether a value is as a schema says; afterwards `errors` says what is wrong with it. */
export interface Validator<T> {
	(value: unknown): value is T;
	errors?: ErrorObject[] | null | undefined;
}

/** One that is compiled when it is first asked, and says what of. */
export interface LazyValidator<T> extends Validator<T> {
	readonly schema: object;
	readonly dialect: Dialect;
}

const UNIONS = { allowUnionTypes: true } as const;

/** Returns the compiler of a dialect; `more` is for the build. */
export function compilerOf(dialect: Dialect, more: Options = {}): Ajv {
	if (dialect === 'format') return new Ajv2020({ ...UNIONS, ...more });
	if (dialect === 'artifact') return new Ajv2020({ ...UNIONS, discriminator: true, ownProperties: true, ...more });
	const errorOptions = { allErrors: true, verbose: true } as const;
	const ajv = new Ajv({ ...errorOptions, strict: true, strictTypes: false, strictRequired: false, ...more });
	return ajv.addVocabulary(['errorMessage']);
}

/** Returns the check of a schema: `format` for our own files, `artifact` for untrusted ones, `config` for hand-written ones. */
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
