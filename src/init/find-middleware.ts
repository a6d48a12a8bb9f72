/** A bench server for a package that a framework mounts as middleware or as a plugin. */
import type { FoundPackage, PackageJson } from './find-packages.ts';
import { nameOf, recordOf } from './find-service.ts';
import { type BenchServer, configOf, FOLDER } from './languages/bench-servers.ts';
import type { InitialConfig } from './repository.ts';

interface Mount {
	readonly method: 'use' | 'register';
	/** What the package exports, or `default`. */
	readonly exported: string;
	/** Null if it is mounted without a call. */
	readonly args: string | null;
}

interface Entry {
	readonly specifier: string;
	readonly isModule: boolean;
	/** A compiled CommonJS module may have its default export as a property. */
	readonly isWrapped: boolean;
	readonly flags: string;
}

interface Framework {
	readonly method: Mount['method'];
	/** Packages by their names in the program. */
	readonly loads: Readonly<Record<string, string>>;
	readonly program: (mounted: string) => string;
}

const appOf = (name: string): Framework => ({
	method: 'use',
	loads: { [name]: name },
	program: (mounted) => `const app = ${name}();
app.use(${mounted});
app.use((request, response) => response.end("hello"));
app.listen(process.env.PORT, process.env.HOST);
`,
});

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
	express: appOf('express'),
	connect: appOf('connect'),
	koa: {
		method: 'use',
		loads: { Koa: 'koa' },
		program: (mounted) => `const app = new Koa();
app.use(${mounted});
app.use((ctx) => {
  ctx.body = "hello";
});
app.listen(process.env.PORT, process.env.HOST);
`,
	},
	fastify: {
		method: 'register',
		loads: { fastify: 'fastify' },
		program: (mounted) => `const app = fastify();
app.register(${mounted}).after(() => app.get("/", async () => "hello"));
app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
`,
	},
	hono: {
		method: 'use',
		loads: { '{ Hono }': 'hono', '{ serve }': '@hono/node-server' },
		program: (mounted) => `const app = new Hono();
app.use(${mounted});
app.get("/", (context) => context.text("hello"));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: process.env.HOST });
`,
	},
};

/** For middleware in the style of connect whose repository installs no framework. */
const PLAIN: Framework = {
	method: 'use',
	loads: { '{ createServer }': 'node:http' },
	program: (mounted) => `const mounted = ${mounted};
const server = createServer((request, response) => mounted(request, response, () => response.end("hello")));
server.listen(process.env.PORT, process.env.HOST);
`,
};

const READMES = ['README.md', 'readme.md', 'Readme.md', 'README.markdown'];
/** Without options, such a package does not start, or soon refuses the load. */
const NEEDS_OPTIONS = /rate.?limit|slow.?down|throttl|brute|\b(?:auth\w*|jwt|proxy|sessions?)\b/i;

/** Returns null if it is not clear that the package at the top is mounted, and how. */
export function findMiddleware({ json, readText }: FoundPackage, manager: string): InitialConfig | null {
	const readme = READMES.map(readText).find((text) => text !== null) ?? '';
	const title = /^#\s+([\w.-]+)\s*$/m.exec(readme)?.[1]?.toLowerCase() ?? '';
	const name = nameOf(json) || title;
	const { keywords, description } = json;
	const words = [name, description, ...(Array.isArray(keywords) ? keywords : [])].join(' ');
	if (!/^[\w@./-]+$/.test(name) || NEEDS_OPTIONS.test(words) || name in FRAMEWORKS) return null;
	const entry = findEntry(json, readText);
	const shown = mountIn(name, bindingsOf(name, readme), readme);
	const isLoaded = new RegExp(quoted(name)).test(readme);
	const isTold = !isLoaded && json.private !== true && /\b(?:middleware|plugin)\b/i.test(words);
	if (entry === null || (shown === null && !isTold)) return null;
	const framework = findFramework(json, words, readme, shown);
	if (framework === null) return null;
	const { method } = framework;
	const mount = shown ?? { method, exported: 'default', args: method === 'use' ? '' : null };
	return configOf(serverOf({ name, entry, mount, framework, manager }));
}

type Dependencies = Pick<PackageJson, 'dependencies' | 'devDependencies' | 'peerDependencies'>;

function findFramework(json: Dependencies, words: string, readme: string, shown: Mount | null): Framework | null {
	const own = recordOf(json.dependencies);
	const installed: Readonly<Record<string, unknown>> = {
		...recordOf(json.peerDependencies),
		...recordOf(json.devDependencies),
	};
	const isSaid = (name: string) => new RegExp(`\\b${name}\\b`, 'i').test(words);
	const isShown = (name: string) => new RegExp(`['"]${name}['"]|(?<![.\\w])${name}\\(\\)`).test(readme);
	const fits = Object.entries(FRAMEWORKS).filter(
		([name, { method, loads }]) =>
			Object.values(loads).every((each) => each in installed) &&
			(shown === null ? isSaid(name) : shown.method === method && (isSaid(name) || isShown(name))),
	);
	const said = fits.filter(([name]) => isSaid(name));
	const [first, ...others] = said.length > 0 ? said : fits;
	const isConnect = ([name]: readonly [string, Framework]) => /^(?:express|connect)$/.test(name);
	if (first !== undefined) return others.length === 0 || [first, ...others].every(isConnect) ? first[1] : null;
	const isElsewhere = Object.entries(FRAMEWORKS).some(
		(each) => each[0] in { ...own, ...installed } || (!isConnect(each) && isSaid(each[0])),
	);
	const isPlain = shown?.method === 'use' && (isShown('express') || isShown('connect')) && !isElsewhere;
	return isPlain ? PLAIN : null;
}

interface Binding {
	readonly local: string;
	readonly exported: string;
}

/** How the README loads the package, once for each name. */
function bindingsOf(name: string, readme: string): readonly Binding[] {
	const loads = new RegExp(
		`\\b(?:import|const|let|var)\\s+(\\w+|\\{[^}]*\\})(?:\\s*,\\s*\\{[^}]*\\})?\\s*(?:from\\s*|=\\s*require\\(\\s*)${quoted(name)}`,
		'g',
	);
	return [...readme.matchAll(loads)].flatMap(([, what = '']) => {
		if (!what.startsWith('{')) return [{ local: what, exported: 'default' }];
		const names = [...what.matchAll(/(\w+)(?:\s*(?::|\bas\b)\s*(\w+))?/g)];
		return names.map(([, exported = '', local = exported]) => ({ local, exported }));
	});
}

/** A path before what is mounted is left out. */
const USE = `\\.use\\(\\s*(?:(?:'[^']*'|"[^"]*")\\s*,\\s*)?`;
/** Without an argument, with options, or with a string or number, which is kept. */
const CALL = `\\(\\s*(?:(?=\\{)|('[^'"\\\\\n]*'|"[^"\\\\\n]*"|\\d+|)\\s*\\))`;

function mountIn(name: string, bindings: readonly Binding[], readme: string): Mount | null {
	const unnamed = `(?:await\\s+)?(?:require|import)\\(\\s*${quoted(name)}\\s*\\)`;
	for (const { local, exported } of [...bindings, { local: unnamed, exported: 'default' }]) {
		const find = (pattern: string) => new RegExp(pattern).exec(readme);
		if (find(`\\.register\\(\\s*${local}\\s*[,)]`) !== null) return { method: 'register', exported, args: null };
		const made = find(`\\b(?:const|let|var)\\s+(\\w+)\\s*=\\s*${local}\\(`)?.[1];
		const isMade = made !== undefined && find(`${USE}${made}\\s*[,)]`) !== null;
		const called = find(`${USE}${local}${CALL}`) ?? (isMade ? find(`\\b${made}\\s*=\\s*${local}${CALL}`) : null);
		if (called !== null) return { method: 'use', exported, args: (called[1] ?? '').replaceAll("'", '"') };
		if (find(`${USE}${local}\\s*\\)`) !== null) return { method: 'use', exported, args: null };
	}
	return null;
}

const quoted = (name: string) => `['"]${name.replaceAll('.', '\\.')}['"]`;

function findEntry(json: PackageJson, readText: FoundPackage['readText']): Entry | null {
	const { main, exports, type } = json;
	const isModule = type === 'module';
	if (exports !== undefined && nameOf(json) !== '') {
		const root = recordOf(exports)['.'] ?? exports;
		const isImported = isModule || /"import"/.test(JSON.stringify(root));
		return { specifier: nameOf(json), isModule: isImported, isWrapped: !isImported, flags: '' };
	}
	const isThere = (file: string) => readText(file) !== null;
	const named = typeof main === 'string' ? main.replace(/^\.\//, '').replace(/\/$/, '') : 'index.js';
	const file = ['', '.js', '/index.js'].map((end) => named + end).find(isThere);
	if (file?.endsWith('.ts') !== true) {
		const scripts = recordOf(json.scripts);
		const isBuilt = typeof main === 'string' && ['build', 'prepare', 'prepack'].some((each) => each in scripts);
		const isWrapped = !isModule && !/\bmodule\.exports\s*=/.test(readText(file ?? named) ?? '');
		if (file !== undefined || isBuilt) {
			return { specifier: isModule ? `../${file ?? named}` : '..', isModule, isWrapped, flags: '' };
		}
	}
	const source = file ?? (main === undefined ? ['index.ts', 'src/index.ts'].find(isThere) : undefined);
	if (source === undefined || !('tsx' in recordOf(json.devDependencies))) return null;
	return { specifier: `../${source}`, isModule: true, isWrapped: false, flags: '--import tsx ' };
}

interface Guess {
	readonly name: string;
	readonly entry: Entry;
	readonly mount: Mount;
	readonly framework: Framework;
	readonly manager: string;
}

function serverOf({ name, entry, mount, framework, manager }: Guess): BenchServer {
	const { specifier, isModule, isWrapped, flags } = entry;
	const { exported, args } = mount;
	const load = (what: string, from: string) =>
		isModule ? `import ${what} from ${JSON.stringify(from)};` : `const ${what} = require(${JSON.stringify(from)});`;
	const loadOwn = () => {
		if (exported !== 'default') return load(`{ ${exported}${isModule ? ' as' : ':'} plugin }`, specifier);
		if (!isWrapped) return load('plugin', specifier);
		return `${load('loaded', specifier)}\nconst plugin = loaded.default ?? loaded;`;
	};
	const lines = [...Object.entries(framework.loads).map(([what, from]) => load(what, from)), loadOwn()];
	const program = framework.program(args === null ? 'plugin' : `plugin(${args})`);
	const file = `server.${isModule ? 'mjs' : 'cjs'}`;
	return {
		...{ name, command: `node ${flags}${file}`, guessedFor: manager },
		files: { [`${FOLDER}/${file}`]: `${lines.join('\n')}\n\n${program}` },
	};
}
