import { countOf } from '../text/numbers.ts';
import type { FoundPackage } from './find-packages.ts';
import { frameworkOf, isLibrary, nameOf, recordOf } from './find-service.ts';
import type { Started } from './repository.ts';

const ASIDE =
	/^(?:examples?|playgrounds?|sandbox|demos?|docs|website|www|fixtures?|tests?|e2e|bench(?:mark)?s?|templates?|.*(?:test-?suite|-tests?|-e2e|-example|-demo|smoke-test))$/;
const BACK = /(?:^|[/-])(?:api|server|backend|gateway|service|core)(?:s?$|[/-])/;
const FRONT = /(?:^|[/-])(?:web|www|frontend|front|client|ui|app|admin|dashboard|site|storybook|mobile)$/;
const PAGES: readonly string[] = ['next', 'nuxt'];

export function isAside(folder: string): boolean {
	return folder.split('/').some((part) => ASIDE.test(part));
}

/** Returns services in order of preference; equal ones keep their order. */
export function rankServices(services: readonly Started[]): readonly Started[] {
	return services.toSorted((one, other) => scoreOf(other) - scoreOf(one));
}

function scoreOf({ found: { folder, json }, service }: Started): number {
	const framework = frameworkOf(json);
	return [
		[!isAside(folder), 16],
		[framework !== null && !PAGES.includes(framework), 8],
		[BACK.test(folder) || BACK.test(nameOf(json)), 4],
		[!FRONT.test(folder), 2],
		[service.routes.length > 0, 1],
	].reduce((sum, [holds, weight]) => sum + (holds ? Number(weight) : 0), 0);
}

export function nameCandidate(started: Started): string {
	return `${started.found.folder}: ${factsOf(started)}`;
}

export function factsOf({ found: { json }, service }: Started): string {
	const facts = [frameworkOf(json), countOf(service.routes.length, 'route'), service.reason];
	return facts.filter((fact) => typeof fact === 'string').join(', ');
}

export function dependentsOf(library: FoundPackage, all: readonly FoundPackage[]): number {
	const groups = ({ json }: FoundPackage) => [json.dependencies, json.devDependencies, json.peerDependencies];
	return all.filter((each) => groups(each).some((group) => nameOf(library.json) in recordOf(group))).length;
}

/** Returns published packages, first those on which most others depend. */
export function rankLibraries(all: readonly FoundPackage[]): readonly FoundPackage[] {
	const libraries = all.filter(({ json, folder }) => isLibrary(json) && !isAside(folder));
	return libraries.toSorted((one, other) => dependentsOf(other, all) - dependentsOf(one, all));
}
