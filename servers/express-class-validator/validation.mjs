/** How bodies are validated: by class-validator. */
import 'reflect-metadata';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { classDtos } from '../shared/class-dtos.mjs';

const { NameDto, ProfileDto, UserDto } = classDtos(validator, transformer);

// Only a profile has no other keys than its own.
export const nameSchema = { dto: NameDto, options: {} };
export const userSchema = { dto: UserDto, options: {} };
export const profileSchema = { dto: ProfileDto, options: { whitelist: true, forbidNonWhitelisted: true } };

/** A function that tells whether a document follows `schema`. */
export const compile =
	({ dto, options }) =>
	(document) =>
		isObject(document) && validator.validateSync(transformer.plainToInstance(dto, document), options).length === 0;

function isObject(document) {
	return typeof document === 'object' && document !== null && !Array.isArray(document);
}
