/** Finds GET routes in JavaScript and TypeScript by text search. */
import { joinPaths, mountsIn, receiverBefore, type SourcePart } from './follow-imports.ts';

/** Clients, caches and settings also have a method `get`. */
const NO_ROUTER =
	/^(?:axios|got|http|https|request|req|res|response|client|fetch|ky|superagent|agent|supertest|cache|redis|map|store|config|headers|params|searchParams|session|cookies|nock|mock|jest|vi)$/i;
/** Requires a handler: `app.get('/views')` alone reads a setting. */
const CALL = /(?:([\w$]+)|\))\s*\.get(?:<[^()\n]{0,200}>)?\(\s*(['"`])(\/[^'"`\n]*)\2\s*,/g;
const CHAIN = /([\w$]+)\s*\.route\(\s*(['"`])(\/[^'"`\n]*)\2\s*\)(?:(?!\.route\()[\s\S]){0,300}?\.get\(/g;
const OBJECT = [
	// What registerPath documents, another call routes.
	/(?<!\bregisterPath\(\{\s*)\bmethod:\s*\[?\s*['"`]GET['"`][^\]{}]{0,40}\]?\s*,\s*(?:url|path):\s*(['"`])(\/[^'"`\n]*)\1/gi,
	/\b(?:url|path):\s*(['"`])(\/[^'"`\n]*)\1\s*,\s*method:\s*\[?\s*['"`]GET['"`]/gi,
];
const COMPARED = /(?:\b(?:url|pathname|path)\s*={2,3}|\bcase)\s*(['"`])(\/[^'"`\n]*)\1/g;
const CONTROLLER = /@Controller\(\s*(?:(['"`])([^'"`\n]*)\1)?\s*\)/;
const DECORATOR = /@Get\(\s*(?:(['"`])([^'"`\n]*)\1)?\s*\)/g;
const GLOBAL_PREFIX = /\.setGlobalPrefix\(\s*(['"`])([^'"`\n]+)\1/;

const OPEN = /[:*{}()<>$+?\\|[\]]/;

/** Returns each route once, in order; some have parameters (`isOpen`). */
export function findRoutes(parts: readonly SourcePart[]): readonly string[] {
	const [, , everywhere = ''] = parts.map(({ text }) => GLOBAL_PREFIX.exec(text)).find((match) => match !== null) ?? [];
	const routes = parts.flatMap(({ text, prefix }) => {
		const before = joinPaths(everywhere === '' ? '' : `/${everywhere.replace(/^\//, '')}`, prefix);
		return routesIn(text).map((route) => joinPaths(before, route));
	});
	return [...new Set(routes.map((route) => route || '/'))];
}

/** Whether a path has parameters or wildcards. */
export function isOpen(route: string): boolean {
	return OPEN.test(route);
}

function routesIn(text: string): string[] {
	const mounts = mountsIn(text);
	const under = (receiver: string | undefined, route: string) => joinPaths(mounts.get(receiver ?? '') ?? '', route);
	const placedRoutes: { readonly at: number; readonly route: string }[] = [];
	for (const { index, 0: call, 1: written, 3: route = '/' } of [...text.matchAll(CALL), ...text.matchAll(CHAIN)]) {
		const receiver = written ?? receiverBefore(text, index + call.indexOf(')') + 1) ?? undefined;
		if (receiver === undefined || !NO_ROUTER.test(receiver))
			placedRoutes.push({ at: index, route: under(receiver, route) });
	}
	for (const pattern of [...OBJECT, COMPARED]) {
		for (const { index, 2: route = '/' } of text.matchAll(pattern)) placedRoutes.push({ at: index, route });
	}
	const controller = CONTROLLER.exec(text);
	if (controller !== null) {
		for (const { index, 2: route = '' } of text.matchAll(DECORATOR)) {
			placedRoutes.push({ at: index, route: joinPaths(`/${(controller[2] ?? '').replace(/^\//, '')}`, route) });
		}
	}
	return placedRoutes.toSorted((one, other) => one.at - other.at).map(({ route }) => route);
}
