/** Names of object and text kinds in Zod 4. */
const words = (z) => ({
	loose: z.looseObject,
	strict: z.strictObject,
	email: z.email,
	int: z.int,
	uuid: z.uuid,
	iso: z.iso,
});

/** The same in Zod 3. */
const olderWords = (z) => ({
	loose: (shape) => z.object(shape).passthrough(),
	strict: (shape) => z.object(shape).strict(),
	email: () => z.string().email(),
	int: () => z.number().int(),
	uuid: () => z.string().uuid(),
	iso: { date: () => z.string().date(), datetime: () => z.string().datetime() },
});

/**
 * The schemas of fixtures.mjs in Zod 3 or 4.
 * @param z The server's module `zod`.
 */
export function zodSchemas(z) {
	const { loose, strict, email, int, uuid, iso } = z.looseObject === undefined ? olderWords(z) : words(z);
	const filled = z.string().min(1);
	return {
		nameSchema: loose({ name: z.string() }),
		userSchema: loose({ name: filled, email: filled }),
		bookingSchema: strict({ id: uuid(), email: email(), date: iso.date(), createdAt: iso.datetime() }),
		profileSchema: strict({
			username: z.string().min(3).max(32),
			email: email(),
			age: int().min(18).max(120),
			score: z.number().min(0).max(100),
			role: z.enum(['user', 'admin', 'editor']),
			status: z.enum(['active', 'inactive', 'pending']),
			active: z.boolean(),
			tags: z.array(z.string()).max(10),
			address: strict({
				street: z.string(),
				city: z.string(),
				zip: z.string().regex(/^[0-9]{5}$/),
				country: z.enum(['CN', 'US', 'DE']),
			}),
			preferences: strict({
				theme: z.enum(['light', 'dark']),
				notifications: z.boolean(),
				pageSize: int().min(1).max(100),
			}),
		}),
	};
}
