import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorObject } from 'ajv';
import { type Answer, invalidRequest, refuse } from '../answer.ts';
import type { Operation } from './description.ts';
import { type OpenApiSchema, textValidatorOf, validatorOf } from './schemas.ts';

export const API_VERSIONS = ['2022-11-28'];
const MEDIA_TYPES = /^(?:\*\/\*|application\/json|application\/vnd\.github(?:\.[\w-]+)*(?:\+json)?)$/;

/** Returns GitHub's refusal of these headers, or null. */
export function checkHeaders(headers: IncomingHttpHeaders): Answer | null {
	if (!headers['user-agent']) {
		const message = 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.';
		return { ...refuse(403, message), invalid: true };
	}
	const accepted = (headers.accept ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim() ?? '');
	if (!accepted.some((type) => MEDIA_TYPES.test(type))) {
		return { ...refuse(415, "Unsupported 'Accept' header: Must accept 'application/json'."), invalid: true };
	}
	const version = headers['x-github-api-version'];
	if (version !== undefined && !API_VERSIONS.includes(String(version))) {
		return { ...refuse(400, `Version ${version} is not supported.`), invalid: true };
	}
	return null;
}

/** Returns typed path and query values, or GitHub's refusal, also of repeated and unknown names. */
export function checkValues(
	operation: Operation,
	path: Readonly<Record<string, string>>,
	query: URLSearchParams,
): { values: Record<string, unknown> } | { refusal: Answer } {
	const twice = [...query.keys()].filter((name, index, all) => all.indexOf(name) !== index);
	if (twice.length > 0) return { refusal: invalidRequest([`"${twice[0]}" was supplied twice.`], operation.docs) };
	const values: Record<string, unknown> = { ...path, ...Object.fromEntries(query) };
	const validate = textValidatorOf(valuesSchema(operation));
	return validate(values) ? { values } : { refusal: invalidRequest(explain(validate.errors), operation.docs) };
}

/** Returns the parsed body, or GitHub's refusal. */
export function checkBody(operation: Operation, text: string): { body: Record<string, unknown> } | { refusal: Answer } {
	if (text === '') {
		if (!operation.bodyRequired) return { body: {} };
		return { refusal: invalidRequest(['A body is required.'], operation.docs) };
	}
	if (!operation.body) return { refusal: invalidRequest(['No body is permitted.'], operation.docs) };
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return { refusal: { ...refuse(400, 'Problems parsing JSON', operation.docs), invalid: true } };
	}
	const validate = validatorOf(operation.body);
	if (!validate(body)) return { refusal: invalidRequest(explain(validate.errors), operation.docs) };
	return { body: body as Record<string, unknown> };
}

const valuesSchemas = new Map<Operation, OpenApiSchema>();

function valuesSchema(operation: Operation): OpenApiSchema {
	const operationSchema = valuesSchemas.get(operation);
	if (operationSchema) return operationSchema;
	const parameters = operation.parameters.filter((parameter) => parameter.in !== 'header');
	const schema = {
		type: 'object',
		properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
		required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
	};
	valuesSchemas.set(operation, schema);
	return schema;
}

/** Returns the errors in GitHub's words. */
export function explain(errors: readonly ErrorObject[] | null | undefined): string[] {
	return [...new Set((errors ?? []).map(explainOne))];
}

function explainOne(error: ErrorObject): string {
	const where = error.instancePath === '' ? '' : `For 'properties${error.instancePath}', `;
	const value = JSON.stringify(error.data)?.slice(0, 100);
	switch (error.keyword) {
		case 'required':
			return `"${error.params.missingProperty}" wasn't supplied.`;
		case 'additionalProperties':
			return `"${error.params.additionalProperty}" is not a permitted key.`;
		case 'unevaluatedProperties':
			return `"${error.params.unevaluatedProperty}" is not a permitted key.`;
		case 'enum':
			return `${where}${value} is not a member of ${JSON.stringify(error.params.allowedValues)}.`;
		case 'maxItems':
			return `No more than ${error.params.limit} items are allowed; ${(error.data as unknown[]).length} were supplied.`;
		case 'maxLength':
			return `Only ${error.params.limit} characters are allowed; ${[...String(error.data)].length} were supplied.`;
		case 'type':
			return `${where}${value} is not ${article(String(error.params.type))}.`;
		case 'anyOf':
		case 'oneOf':
			return `${where}No subschema in "${error.keyword}" matched.`;
		default:
			return `${where}${value} ${error.message}.`;
	}
}

function article(type: string): string {
	return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
