/**
 * The schemas of fixtures.mjs in TypeBox.
 * @param Type The default export of the server's module `typebox`.
 */
export function typeboxSchemas(Type) {
	const filled = Type.String({ minLength: 1 });
	const strict = (keys) => Type.Object(keys, { additionalProperties: false });
	return {
		nameSchema: Type.Object({ name: Type.String() }),
		userSchema: Type.Object({ name: filled, email: filled }),
		bookingSchema: strict({
			id: Type.String({ format: 'uuid' }),
			email: Type.String({ format: 'email' }),
			date: Type.String({ format: 'date' }),
			createdAt: Type.String({ format: 'date-time' }),
		}),
		profileSchema: strict({
			username: Type.String({ minLength: 3, maxLength: 32 }),
			email: Type.String({ format: 'email' }),
			age: Type.Integer({ minimum: 18, maximum: 120 }),
			score: Type.Number({ minimum: 0, maximum: 100 }),
			role: Type.Enum(['user', 'admin', 'editor']),
			status: Type.Enum(['active', 'inactive', 'pending']),
			active: Type.Boolean(),
			tags: Type.Array(Type.String(), { maxItems: 10 }),
			address: strict({
				street: Type.String(),
				city: Type.String(),
				zip: Type.String({ pattern: '^[0-9]{5}$' }),
				country: Type.Enum(['CN', 'US', 'DE']),
			}),
			preferences: strict({
				theme: Type.Enum(['light', 'dark']),
				notifications: Type.Boolean(),
				pageSize: Type.Integer({ minimum: 1, maximum: 100 }),
			}),
		}),
	};
}
