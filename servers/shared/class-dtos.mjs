/** Applies the decorators of properties by name, as the TypeScript compiler does. */
function decorateProperties({ prototype }, properties) {
	for (const [name, decorators] of Object.entries(properties)) {
		for (const decorator of decorators) decorator(prototype, name);
	}
}

/**
 * The schemas of fixtures.mjs as classes for class-validator. Both modules come from the server, which must have loaded
 * `reflect-metadata`.
 * @param validator The module `class-validator`.
 * @param transformer The module `class-transformer`.
 */
export function classDtos(validator, { Type }) {
	const { ArrayMaxSize, IsArray, IsBoolean, IsEmail, IsIn, IsInt, IsNumber, IsObject, IsString } = validator;
	const { IsISO8601, IsUUID, Length, Matches, Max, Min, MinLength, ValidateNested } = validator;
	const filled = () => [IsString(), MinLength(1)];
	const oneOf = (...values) => [IsIn(values)];
	const nested = (type) => [IsObject(), ValidateNested(), Type(() => type)];

	class NameDto {}
	decorateProperties(NameDto, { name: [IsString()] });

	class UserDto {}
	decorateProperties(UserDto, { name: filled(), email: filled() });

	class BookingDto {}
	decorateProperties(BookingDto, { id: [IsUUID()], email: [IsEmail()], date: [IsISO8601()], createdAt: [IsISO8601()] });

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

	class ProfileDto {}
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
	return { NameDto, UserDto, BookingDto, ProfileDto };
}
