/**
 * Leaves out routes that a run does not request, if the run lists its paths. Some routers try one route after the
 * other, so a program with the routes of all scenarios would be slower there than that of a published page, which has
 * few.
 */

/** Methods that take a path and handlers. */
const METHODS = ['get', 'post', 'use'];

/**
 * Returns whether some of the `paths` may reach a route: `/users/1?page=2` reaches `/users/:id`, and every path below
 * `/a` an app mounted there.
 */
export function isAsked(route, paths, isMounted = false) {
	const parts = route.split('/');
	return paths.some((path) => {
		const segments = path.split('?')[0].split('/');
		const isLong = isMounted ? segments.length >= parts.length : segments.length === parts.length;
		return isLong && parts.every((part, at) => part.startsWith(':') || part === segments[at]);
	});
}

/** Returns whether this run may request a route; true without a list. */
export function isAskedHere(route, isMounted = false, told = process.env.ASKED_PATHS) {
	return told === undefined || isAsked(route, told.split(' '), isMounted);
}

/**
 * Returns the same application or router, which from now on ignores routes that the run does not request; keeps all
 * without a list.
 */
export function askedRoutes(app, told = process.env.ASKED_PATHS) {
	if (told === undefined) return app;
	for (const method of METHODS) {
		const add = app[method];
		app[method] = function (...args) {
			const [route, ...answers] = args;
			// Global middleware has no path; Express reads its settings by a method of the same name.
			const isRoute = typeof route === 'string' && answers.length > 0;
			if (isRoute && !isAskedHere(route, method === 'use', told)) return this;
			return add.apply(this, args);
		};
	}
	return app;
}
