/**
 * Leaves out the routes that a run does not ask for, where it says what it asks. Some routers try one route after the other, so a
 * program with the routes of all scenarios is slower there than that of a published page, which has a few.
 */

/** Methods that take a path and what answers it. */
const METHODS = ['get', 'post', 'use'];

/** Returns whether a route may be asked for: `/users/:id` by `/users/1?page=2`, and what is mounted at `/a` by all below it. */
export function isAsked(route, paths, isMounted = false) {
	const parts = route.split('/');
	return paths.some((path) => {
		const own = path.split('?')[0].split('/');
		const isLong = isMounted ? own.length >= parts.length : own.length === parts.length;
		return isLong && parts.every((part, at) => part.startsWith(':') || part === own[at]);
	});
}

/** Returns whether this run may ask for a route; for every one where nothing is said. */
export function isAskedHere(route, isMounted = false, told = process.env.ASKED_PATHS) {
	return told === undefined || isAsked(route, told.split(' '), isMounted);
}

/** Returns the same application or router, which from now on takes only routes that are asked for; all where nothing is said. */
export function askedRoutes(app, told = process.env.ASKED_PATHS) {
	if (told === undefined) return app;
	for (const method of METHODS) {
		const add = app[method];
		app[method] = function (...args) {
			const [route, ...answers] = args;
			// What is used everywhere has no path; Express reads its settings by a method of the same name.
			const isRoute = typeof route === 'string' && answers.length > 0;
			if (isRoute && !isAskedHere(route, method === 'use', told)) return this;
			return add.apply(this, args);
		};
	}
	return app;
}
