/** The output of the TypeScript compiler for decorators and types, which plain JavaScript lacks. */
import 'reflect-metadata';

/** Applies the decorators of a class. */
export function decorateClass(target, ...decorators) {
	for (const decorator of decorators.toReversed()) decorator(target);
	return target;
}

/** Applies the decorators of a method and of its parameters, a pair of decorator and type each. */
export function decorateMethod({ prototype }, name, decorators, parameters = []) {
	const types = parameters.map(([, type = Object]) => type);
	Reflect.defineMetadata('design:paramtypes', types, prototype, name);
	for (const [at, [decorator]] of parameters.entries()) decorator(prototype, name, at);
	const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
	for (const decorator of decorators.toReversed()) decorator(prototype, name, descriptor);
}
