/** Finds a Java service of Spring Boot or Quarkus that Maven builds. */
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { findDatabase } from '../databases.ts';
import { healthIn, type Service } from '../find-service.ts';
import { joinPaths } from '../follow-imports.ts';
import { listSources } from './list-sources.ts';

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const VALUE = String.raw`\(\s*(?:(?:value|path)\s*=\s*)?\{?\s*"([^"]*)"`;
const CLASS = new RegExp(String.raw`@(?:RequestMapping|Path)${VALUE}[^{]*?\bclass\s`, 's');
const METHOD = new RegExp(String.raw`@GetMapping(?:${VALUE}|(?:\(\s*\))?(?=\s))`, 'g');
const RESOURCE = /@GET\b([^;{}]*?)\b(?:public|Uni|Response|String|[A-Z]\w*(?:<[^>]*>)?)\s+\w+\s*\(/g;

export async function findJava(cwd: string): Promise<Service | null> {
	const pom = await readFile(path.join(cwd, 'pom.xml'), 'utf8').catch(() => null);
	if (pom === null) return null;
	const isQuarkus = /<groupId>io\.quarkus/.test(pom);
	const isSpring = /<artifactId>spring-boot-starter-(?:web|webflux|data-rest|actuator|jersey)\w*<\/artifactId>/.test(
		pom,
	);
	// A pom of several modules builds no program.
	if (!(isQuarkus || isSpring) || /<packaging>(?:pom|war)<\/packaging>/.test(pom)) return null;
	const own = pom.replace(/<(parent|dependencies|dependencyManagement|build|profiles|properties)>[\s\S]*?<\/\1>/g, '');
	const tag = (name: string, text = own) => new RegExp(`<${name}>\\s*([\\w.-]+)\\s*</${name}>`).exec(text)?.[1];
	const version = tag('version') ?? tag('version', /<parent>[\s\S]*?<\/parent>/.exec(pom)?.[0] ?? '');
	const [artifact, finalName] = [tag('artifactId'), tag('finalName', pom)];
	if (artifact === undefined || (version === undefined && finalName === undefined && !isQuarkus)) return null;
	const texts = [...(await listSources(cwd, '.java', 12)).values()].map((text) => text.replace(COMMENT, ''));
	const routes = [...new Set(texts.flatMap(routesIn))];
	const wrapper = await access(path.join(cwd, 'mvnw')).then(
		() => true,
		() => false,
	);
	const groups = [...pom.matchAll(/<groupId>\s*([\w.-]+)\s*<\/groupId>/g)].map(([, name = '']) => name);
	const hasActuator = /<artifactId>spring-boot-starter-actuator</.test(pom);
	return {
		command: isQuarkus
			? 'exec java -Dquarkus.http.host="$HOST" -Dquarkus.http.port="$PORT" -jar target/quarkus-app/quarkus-run.jar'
			: `exec java -jar target/${finalName ?? `${artifact}-${version}`}.jar --server.address="$HOST" --server.port="$PORT"`,
		prepare: `${wrapper ? 'sh ./mvnw' : 'mvn'} --quiet --batch-mode -DskipTests package`,
		reason: `its pom.xml has ${isQuarkus ? 'Quarkus' : 'Spring Boot'}`,
		routes,
		health: hasActuator ? '/actuator/health' : healthIn(routes),
		database: findDatabase(groups),
		readsPort: true,
	};
}

function routesIn(text: string): string[] {
	const around = `/${CLASS.exec(text)?.[1] ?? ''}`.replace(/^\/+/, '/');
	const join = (inside: string) =>
		joinPaths(around === '/' ? '' : around, inside === '' ? '' : `/${inside.replace(/^\//, '')}`) || '/';
	const spring = [...text.matchAll(METHOD)].map(([, route = '']) => join(route));
	const resources = CLASS.test(text) && text.includes('@GET') ? [...text.matchAll(RESOURCE)] : [];
	const paths = resources.map(([, between = '']) => join(/@Path\(\s*"([^"]*)"/.exec(between)?.[1] ?? ''));
	return [...spring, ...paths];
}
