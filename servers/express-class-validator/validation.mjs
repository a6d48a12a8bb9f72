/** Validates bodies with class-validator. */
import 'reflect-metadata';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { classDtos } from '../shared/class-dtos.mjs';

const { BookingDto, NameDto, ProfileDto, UserDto } = classDtos(validator, transformer);

// Only a booking and a profile forbid unknown keys.
export const nameSchema = { dto: NameDto, options: {} };
export const userSchema = { dto: UserDto, options: {} };
const closed = { whitelist: true, forbidNonWhitelisted: true };
export const bookingSchema = { dto: BookingDto, options: closed };
export const profileSchema = { dto: ProfileDto, options: closed };

/** Returns a function that checks a document against `schema`. */
export const compile =
	({ dto, options }) =>
	(document) =>
		isObject(document) && validator.validateSync(transformer.plainToInstance(dto, document), options).length === 0;

function isObject(document) {
	return typeof document === 'object' && document !== null && !Array.isArray(document);
}
