/**
 * The schemas of fixtures.mjs in Joi.
 * @param Joi The server's module `joi`.
 */
export function joiSchemas(Joi) {
	// By default Joi converts types and refuses empty texts; the other servers do neither.
	const text = () => Joi.string().allow('').required();
	const filled = Joi.string().min(1).required();
	const oneOf = (...values) => Joi.valid(...values).required();
	const strict = (keys) => Joi.object(keys).required().prefs({ convert: false });
	const loose = (keys) => strict(keys).unknown();
	return {
		nameSchema: loose({ name: text() }),
		userSchema: loose({ name: filled, email: filled }),
		bookingSchema: strict({
			id: Joi.string().guid().required(),
			email: Joi.string().email().required(),
			date: Joi.string().isoDate().required(),
			createdAt: Joi.string().isoDate().required(),
		}),
		profileSchema: strict({
			username: Joi.string().min(3).max(32).required(),
			email: Joi.string().email().required(),
			age: Joi.number().integer().min(18).max(120).required(),
			score: Joi.number().min(0).max(100).required(),
			role: oneOf('user', 'admin', 'editor'),
			status: oneOf('active', 'inactive', 'pending'),
			active: Joi.boolean().required(),
			tags: Joi.array().items(Joi.string().allow('')).max(10).required(),
			address: strict({
				street: text(),
				city: text(),
				zip: Joi.string()
					.pattern(/^[0-9]{5}$/)
					.required(),
				country: oneOf('CN', 'US', 'DE'),
			}),
			preferences: strict({
				theme: oneOf('light', 'dark'),
				notifications: Joi.boolean().required(),
				pageSize: Joi.number().integer().min(1).max(100).required(),
			}),
		}),
	};
}
