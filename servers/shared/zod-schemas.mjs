/**
 * The schemas of fixtures.mjs in the words of Zod 4, which comes from the server that asks.
 * @param z The module `zod`.
 */
export function zodSchemas(z) {
	const filled = z.string().min(1);
	return {
		nameSchema: z.looseObject({ name: z.string() }),
		userSchema: z.looseObject({ name: filled, email: filled }),
		profileSchema: z.strictObject({
			username: z.string().min(3).max(32),
			email: z.email(),
			age: z.int().min(18).max(120),
			score: z.number().min(0).max(100),
			role: z.enum(['user', 'admin', 'editor']),
			status: z.enum(['active', 'inactive', 'pending']),
			active: z.boolean(),
			tags: z.array(z.string()).max(10),
			address: z.strictObject({
				street: z.string(),
				city: z.string(),
				zip: z.string().regex(/^[0-9]{5}$/),
				country: z.enum(['CN', 'US', 'DE']),
			}),
			preferences: z.strictObject({
				theme: z.enum(['light', 'dark']),
				notifications: z.boolean(),
				pageSize: z.int().min(1).max(100),
			}),
		}),
	};
}
