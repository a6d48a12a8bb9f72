/** The schemas of fixtures.mjs as classes for class-validator, as NestJS would have them. */
import { Type } from 'class-transformer';
import {
	ArrayMaxSize,
	IsArray,
	IsBoolean,
	IsEmail,
	IsIn,
	IsInt,
	IsNumber,
	IsObject,
	IsString,
	Length,
	Matches,
	Max,
	Min,
	MinLength,
	ValidateNested,
} from 'class-validator';
import { decorateProperties } from './decorate.mjs';

const filled = () => [IsString(), MinLength(1)];
const oneOf = (...values) => [IsIn(values)];
const nested = (type) => [IsObject(), ValidateNested(), Type(() => type)];

export class NameDto {}
decorateProperties(NameDto, { name: [IsString()] });

export class UserDto {}
decorateProperties(UserDto, { name: filled(), email: filled() });

class AddressDto {}
decorateProperties(AddressDto, {
	street: [IsString()],
	city: [IsString()],
	zip: [Matches(/^[0-9]{5}$/)],
	country: oneOf('CN', 'US', 'DE'),
});

class PreferencesDto {}
decorateProperties(PreferencesDto, {
	theme: oneOf('light', 'dark'),
	notifications: [IsBoolean()],
	pageSize: [IsInt(), Min(1), Max(100)],
});

export class ProfileDto {}
decorateProperties(ProfileDto, {
	username: [IsString(), Length(3, 32)],
	email: [IsEmail()],
	age: [IsInt(), Min(18), Max(120)],
	score: [IsNumber(), Min(0), Max(100)],
	role: oneOf('user', 'admin', 'editor'),
	status: oneOf('active', 'inactive', 'pending'),
	active: [IsBoolean()],
	tags: [IsArray(), ArrayMaxSize(10), IsString({ each: true })],
	address: nested(AddressDto),
	preferences: nested(PreferencesDto),
});
