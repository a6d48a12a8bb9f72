/** Common parts of the scenarios of group `browser`: a file, cookies, a form, an upload, another origin, a session. */
import { fileURLToPath } from 'node:url';

/** The folder of static files. */
export const PUBLIC = fileURLToPath(new URL('public', import.meta.url));

/** Origins and methods allowed at `/browser/cors`. */
export const CROSS_ORIGIN = {
	origin: 'https://bench.example.com',
	methods: ['GET', 'PUT'],
	headers: ['Authorization', 'Content-Type'],
	maxAgeSeconds: 600,
};

export const SESSION_SECRET = 'bench-secret-of-at-least-32-characters';
export const UPLOAD_LIMIT = 1024 * 1024;

/** Values of a visitor's cookies, with defaults for the first visit. */
export const visitOf = ({ theme = 'light', visitor = 'new' }) => ({ theme, visitor });
export const VISITOR_COOKIE = { path: '/', httpOnly: true, sameSite: 'lax' };

export const newPlace = (id) => `/browser/items/${id}`;
export const uploaded = (title, name, bytes) => ({ title, name, bytes });
