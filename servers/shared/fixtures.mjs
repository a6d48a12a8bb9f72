/**
 * Common parts of all built-in servers: token, schemas, documents, limits and work of the built-in scenarios. A server
 * adds the measured parts of its framework: routing, middleware, parsing, answers and errors.
 */

export const TOKEN = 'YmVuY2gtc2VjcmV0LXRva2Vu';

/** Whether an `Authorization` header carries the token. */
export function isAuthorized(header = '') {
	const [scheme, token] = header.split(' ');
	return scheme === 'Bearer' && token === TOKEN;
}

/**
 * Decodes the claims in an `Authorization` header, only for the work: does not check the signature. Undefined without
 * claims.
 */
export function readClaims(header = '') {
	const [scheme, token = ''] = header.split(' ');
	const parts = token.split('.');
	if (scheme !== 'Bearer' || parts.length !== 3) return undefined;
	try {
		return JSON.parse(Buffer.from(parts[1], 'base64url').toString());
	} catch {
		return undefined;
	}
}

const filled = { type: 'string', minLength: 1 };
const closed = (properties) => ({
	type: 'object',
	additionalProperties: false,
	required: Object.keys(properties),
	properties,
});

export const nameSchema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
export const userSchema = { type: 'object', required: ['name', 'email'], properties: { name: filled, email: filled } };
export const profileSchema = closed({
	username: { type: 'string', minLength: 3, maxLength: 32 },
	email: { type: 'string', format: 'email' },
	age: { type: 'integer', minimum: 18, maximum: 120 },
	score: { type: 'number', minimum: 0, maximum: 100 },
	role: { enum: ['user', 'admin', 'editor'] },
	status: { enum: ['active', 'inactive', 'pending'] },
	active: { type: 'boolean' },
	tags: { type: 'array', maxItems: 10, items: { type: 'string' } },
	address: closed({
		street: { type: 'string' },
		city: { type: 'string' },
		zip: { type: 'string', pattern: '^[0-9]{5}$' },
		country: { enum: ['CN', 'US', 'DE'] },
	}),
	preferences: closed({
		theme: { enum: ['light', 'dark'] },
		notifications: { type: 'boolean' },
		pageSize: { type: 'integer', minimum: 1, maximum: 100 },
	}),
});

export const bookingSchema = closed({
	id: { type: 'string', format: 'uuid' },
	email: { type: 'string', format: 'email' },
	date: { type: 'string', format: 'date' },
	createdAt: { type: 'string', format: 'date-time' },
});

// Documents are created for each request, as from a database.
export const nestedDocument = () => ({
	id: 1,
	name: 'John Doe',
	email: 'john@example.com',
	createdAt: '2026-01-15T08:00:00.000Z',
	profile: {
		avatar: 'https://example.com/avatar.png',
		bio: 'Software Engineer',
		location: 'Shanghai, China',
	},
	roles: ['user', 'admin'],
	metadata: { loginCount: 42, lastLogin: '2026-01-14T20:30:00.000Z' },
});
export const cachedUser = (id) => ({ id, name: 'Cached User', email: 'cached@example.com' });
export const createdUser = (user) => ({ id: 'u_bench', ...user });
export const benchSession = () => ({ userId: 'bench-user' });

const log = new Array(1000);
let logged = 0;
/** Stores a line of the request log in place of the oldest. */
export function logLine(line) {
	log[logged++ % log.length] = line;
}

const CLIENT_LIMIT = 1e9;
const requestsOf = new Map();
/**
 * Counts a request of a client; returns whether it exceeds the limit. No client does: only the counting is measured.
 */
export function countRequest(client) {
	const count = (requestsOf.get(client) ?? 0) + 1;
	requestsOf.set(client, count);
	return count > CLIENT_LIMIT;
}

/** Of `/rate-limited`: answers per client in a window that begins with its first request. */
export const RATE_LIMIT = { requests: 50, windowMs: 10_000 };
/** Of `/stack`: longer than any answer takes. */
export const STACK_TIMEOUT_MS = 30_000;
