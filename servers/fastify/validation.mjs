/** Validates bodies with Fastify's own Ajv. */
export { bookingSchema, nameSchema, profileSchema, userSchema } from '../shared/fixtures.mjs';

export const validation = {
	options: {
		// The other servers neither convert types nor drop keys.
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
	},
	/** Makes an application validate with it. */
	use() {},
};
