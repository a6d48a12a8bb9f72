/** Finds the program below the tools of a start script, because a watcher or runner in between would be measured too. */
import { shellWord } from '../text/escape.ts';

export interface Surroundings {
	readonly scripts: Readonly<Record<string, unknown>>;
	readonly tools: ReadonlySet<string>;
	readonly read: (file: string) => string | null;
}

export interface Unwrapped {
	readonly command: string;
	readonly env: Readonly<Record<string, string>>;
	readonly before: readonly string[];
	readonly without: readonly string[];
}

interface Parts {
	readonly words: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly before?: readonly string[];
	readonly without?: string | readonly string[];
}

type Reader = (words: readonly string[], around: Surroundings) => Parts | null;

const MOST_STEPS = 12;
const ASSIGNED = /^([A-Za-z_]\w*)=(.*)$/s;
const OPERATOR = /[|;<>`\n]|\$\(|(?<!&)&(?!&)/;
const SCRIPT_FILE = /\.(?:[cm]?[jt]sx?)$/;
const TYPESCRIPT = /\.[cm]?tsx?$/;
const WATCHING =
	/^--(?:watch|watch-path|watch-preserve-output|hot|inspect|inspect-brk|inspect-wait|trace-warnings)(?:=|$)/;
const OF_TSX = /^--(?:clear-screen|tsconfig|include|exclude|ignore)(?:=|$)/;
const ENV_FILE = /^--env-file(?:-if-exists)?(?:=(.*))?$/;
const NO_SERVICE =
	/^(?:vite|webpack|webpack-dev-server|ng|react-scripts|vue-cli-service|parcel|gatsby|expo|storybook|start-storybook|jest|vitest|mocha|tsc|rollup|esbuild|turbo|lerna|rush|wireit|lage|ember|docusaurus|vuepress|vitepress|astro|eslint|electron|playwright|cypress|http-server|serve|live-server)$/;
const VALUED: Readonly<Record<string, RegExp>> = {
	nodemon: /^(?:-w|--watch|-e|--ext|-i|--ignore|-d|--delay|-C|--cwd|--config|-s|--signal)$/,
	pm2: /^(?:-i|--instances|-n|--name|-e|-o|-l|--log|--error|--output|--max-memory-restart|--env|--interpreter|--watch-delay|--time)$/,
	node: /^(?:-r|-C|--(?:require|import|loader|experimental-loader|conditions|title))$/,
	'ts-node': /^(?:-P|-r|-C|-O|--(?:project|require|compiler|compilerOptions|cwd|dir|scope-dir|ignore|watch))$/,
	nx: /^(?:-c|--configuration)$/,
	concurrently: /^(?:-n|-c|-p|-l|-s|-m|--(?:names|prefix-colors|prefix|prefix-length|success|max-processes))$/,
	dotenv: /^(?:-e|-v|-p|-c|-f|--file|-o)$/,
};

function splitOptions(words: readonly string[], tool: keyof typeof VALUED) {
	let at = 0;
	while (at < words.length && words[at]?.startsWith('-') && words[at] !== '--') {
		at += VALUED[tool]?.test(words[at] ?? '') ? 2 : 1;
	}
	return { options: words.slice(0, at), rest: words.slice(words[at] === '--' ? at + 1 : at) };
}

function assignments(words: readonly string[]) {
	const count = words.findIndex((word) => !ASSIGNED.test(word));
	const set = words.slice(0, count < 0 ? words.length : count);
	const env = Object.fromEntries(set.map((word) => (ASSIGNED.exec(word) ?? []).slice(1, 3)));
	return { env: env as Record<string, string>, rest: words.slice(set.length) };
}

const withAssignments: Reader = ([tool = '', ...words]) => {
	const { env, rest } = assignments(words);
	return { words: rest.length === 1 ? splitWords(rest[0] ?? '') : rest, env, without: tool };
};

function runFile(file: string, rest: readonly string[], { tools }: Surroundings): readonly string[] {
	if (!TYPESCRIPT.test(file)) return ['node', file, ...rest];
	if (tools.has('tsx')) return ['node', '--import', 'tsx', file, ...rest];
	if (tools.has('ts-node')) return ['node', '-r', 'ts-node/register', file, ...rest];
	return ['node', file, ...rest];
}

const nodemon: Reader = ([, ...words], around) => {
	const at = words.findIndex((word) => /^(?:-x|--exec)$/.test(word));
	if (at >= 0) {
		const executed = splitWords(words[at + 1] ?? '');
		const { rest } = splitOptions([...words.slice(0, at), ...words.slice(at + 2)], 'nodemon');
		return { words: [...executed, ...rest], without: 'nodemon' };
	}
	const { rest } = splitOptions(words, 'nodemon');
	const [file] = rest;
	if (file === undefined) return null;
	return { words: file === 'node' ? rest : runFile(file, rest.slice(1), around), without: 'nodemon' };
};

const node: Reader = ([tool = 'node', ...words], { read }) => {
	// `--env-file .env` has its value in the next word.
	const joined = words.flatMap((word, at) => {
		if (isEnvFile(words[at - 1] ?? '')) return [];
		return isEnvFile(word) ? [`${word}=${words[at + 1] ?? ''}`] : [word];
	});
	const { options, rest } = splitOptions(joined, 'node');
	const dropped = options.filter((option) => {
		const file = ENV_FILE.exec(option)?.[1];
		return WATCHING.test(option) || (file !== undefined && read(file) === null);
	});
	return { words: [tool, ...options.filter((option) => !dropped.includes(option)), ...rest], without: dropped };
};

function isEnvFile(option: string): boolean {
	return /^--env-file(?:-if-exists)?$/.test(option);
}

const tsx: Reader = ([, ...words]) => {
	const isWatching = words[0] === 'watch' || words.some((word) => WATCHING.test(word));
	const plain = words[0] === 'watch' ? words.slice(1) : words;
	const { options, rest } = splitOptions(plain, 'node');
	const kept = options.filter((option) => !WATCHING.test(option) && !OF_TSX.test(option));
	return {
		words: ['node', ...kept, '--import', 'tsx', ...rest],
		without: isWatching ? 'tsx watch' : 'tsx',
	};
};

const tsNode: Reader = ([tool = 'ts-node', ...words], { tools }) => {
	const { options, rest } = splitOptions(words, 'ts-node');
	const required = options.flatMap((option, at) =>
		/^(?:-r|--require)$/.test(option) ? ['-r', options[at + 1] ?? ''] : [],
	);
	const isModule = options.includes('--esm');
	const load = tools.has('tsx')
		? ['--import', 'tsx']
		: isModule
			? ['--loader', 'ts-node/esm']
			: [
					'-r',
					options.some((option) => /^(?:-T|--transpile-?[oO]nly)$/.test(option))
						? 'ts-node/register/transpile-only'
						: 'ts-node/register',
				];
	return { words: ['node', ...required, ...load, ...rest], without: tool };
};

const pm2: Reader = ([tool = 'pm2', ...words], around) => {
	const plain = words[0] === 'start' ? words.slice(1) : words;
	const ended = plain.indexOf('--');
	const passed = ended < 0 ? [] : plain.slice(ended + 1);
	const named = (ended < 0 ? plain : plain.slice(0, ended)).filter(
		(word, at, all) => !word.startsWith('-') && !VALUED.pm2?.test(all[at - 1] ?? ''),
	);
	const [file = ''] = named;
	if (!SCRIPT_FILE.test(file) || /ecosystem|pm2/.test(file)) return null;
	return { words: runFile(file, passed, around), without: tool };
};

/** Returns what can be told of the programs that a tool such as concurrently starts at once. */
function startedTogether([, ...words]: readonly string[], around: Surroundings): readonly Unwrapped[] {
	const { rest } = splitOptions(words, 'concurrently');
	return rest.flatMap((each) => {
		const command = each.startsWith('npm:') ? ['npm', 'run', each.slice(4)] : splitWords(each);
		const typed =
			command.length === 1 && command[0] !== undefined && command[0] in around.scripts
				? ['npm', 'run', command[0]]
				: command;
		const found = unwrapCommand(typed.map(quoteWord).join(' '), around);
		return found === null ? [] : [found];
	});
}

const oneOfMany: Reader = (words, around) => {
	const started = startedTogether(words, around);
	const [only] = started;
	if (only === undefined || started.length > 1) return null;
	const without = [words[0] ?? '', ...only.without];
	return { words: splitWords(only.command), env: only.env, before: only.before, without };
};

const runScript: Reader = (words, { scripts }) => {
	const [manager = '', ...rest] = words.filter((word) => !/^(?:-s|-S|--silent|--quiet)$/.test(word));
	const plain = /^(?:run|run-script)$/.test(rest[0] ?? '') ? rest.slice(1) : rest;
	const [name = '', ...passed] = plain;
	const script = scripts[name];
	if (typeof script !== 'string') {
		if (manager === 'bun' && SCRIPT_FILE.test(name)) return { words: ['bun', ...plain] };
		return manager !== 'npm' && name !== '' && plain === rest ? { words: rest } : null;
	}
	if (OPERATOR.test(script)) return null;
	const [last = '', ...earlier] = splitCommands(script).reverse();
	const inner = splitWords(last);
	return { words: [...inner, ...passed.filter((word) => word !== '--')], before: earlier.reverse() };
};

const execute: Reader = ([manager = '', ...words], around) => {
	const plain = words.filter((word, at) => !(at === 0 && /^(?:exec|dlx|x|-y|--yes|--no-install)$/.test(word)));
	const [name = ''] = plain;
	const reader = READERS[name];
	if (reader === next || reader === fastify) return reader(plain, around);
	// These end in a program by themselves; others keep their runner.
	return reader === undefined && !NO_SERVICE.test(name) ? { words: [manager, ...words] } : { words: plain };
};

const dotenv: Reader = ([tool = '', ...words]) => {
	const { rest } = splitOptions(words[0] === 'run' ? words.slice(1) : words, 'dotenv');
	return { words: rest[0] === '--' ? rest.slice(1) : rest, without: tool };
};

const nest: Reader = ([, verb], { read, scripts }) => {
	if (verb !== 'start' || read('nest-cli.json') === null) return null;
	return {
		words: ['node', 'dist/main'],
		before: typeof scripts.build === 'string' ? [] : ['npx nest build'],
		without: 'nest start',
	};
};

const nx: Reader = ([, ...words], { read }) => {
	const { rest } = splitOptions(words, 'nx');
	const [first = '', second] = rest;
	const [project, target] = first === 'run' ? (second ?? '').split(':') : [second, first];
	if (!/^(?:serve|start|dev)$/.test(target ?? '')) return null;
	const texts = (project === undefined ? [''] : ['', `apps/${project}/`, `packages/${project}/`]).map((folder) =>
		read(`${folder}project.json`),
	);
	for (const text of texts) {
		const output = /"outputPath"\s*:\s*"([\w./-]+)"/.exec(text ?? '')?.[1];
		if (output === undefined) continue;
		const build = ['npx nx build', ...(project === undefined ? [] : [project])].join(' ');
		return { words: ['node', `${output}/main.js`], before: [build], without: 'nx serve' };
	}
	return null;
};

const next: Reader = ([, ...words]) =>
	/^(?:dev|start)$/.test(words[0] ?? 'dev')
		? { words: ['npx', 'next', 'start'], ...(words[0] !== 'start' && { without: 'next dev' }) }
		: null;

const bun: Reader = (words, around) => {
	const [, ...rest] = words.filter((word) => !WATCHING.test(word));
	const isWatching = rest.length < words.length - 1;
	const [first = '', second = ''] = rest;
	if (first === 'run' || (SCRIPT_FILE.test(first) === false && first in around.scripts)) {
		if (SCRIPT_FILE.test(second)) return { words: ['bun', ...rest.slice(1)], without: 'bun run' };
		return runScript(['bun', ...rest], around);
	}
	return { words: ['bun', ...rest], ...(isWatching && { without: 'bun --watch' }) };
};

const deno: Reader = (words, around) => {
	const kept = words.filter((word) => !WATCHING.test(word));
	const [, verb, ...rest] = kept;
	if (verb === 'task') return runScript(['deno', ...rest], around);
	// It has a port of its own, whatever PORT is.
	const serves = verb === 'serve' && !rest.some((word) => word.startsWith('--port'));
	return {
		words: serves ? ['deno', 'serve', '--host', '$HOST', '--port', '$PORT', ...rest] : kept,
		...(kept.length < words.length && { without: 'deno --watch' }),
	};
};

const fastify: Reader = ([, ...words]) => {
	if (words[0] !== 'start') return null;
	const kept = words.filter((word) => !/^(?:-w|--watch|-P|--pretty-logs|-v|--verbose-watch)$/.test(word));
	return {
		words: ['npx', 'fastify', ...kept],
		...(kept.length < words.length && { without: 'the watcher of fastify-cli' }),
	};
};

const inner: Reader = ([, ...words]) => ({ words: words.slice(words.findIndex((word) => !word.startsWith('-'))) });

const READERS: Readonly<Record<string, Reader>> = {
	...{ 'cross-env': withAssignments, 'cross-env-shell': withAssignments, env: withAssignments },
	...{
		nodemon,
		node,
		nodejs: node,
		tsx,
		'ts-node': tsNode,
		'ts-node-esm': tsNode,
		'ts-node-dev': tsNode,
		tsnd: tsNode,
	},
	...{ pm2, 'pm2-runtime': pm2, 'pm2-dev': pm2, forever: pm2, supervisor: nodemon, 'node-dev': nodemon },
	...{ concurrently: oneOfMany, 'npm-run-all': oneOfMany, 'run-p': oneOfMany, 'run-s': oneOfMany },
	...{ npm: runScript, pnpm: runScript, yarn: runScript, npx: execute, bunx: execute },
	...{ dotenv, 'dotenv-cli': dotenv, dotenvx: dotenv, 'env-cmd': dotenv, nest, nx, next, bun, deno, fastify },
	...{ exec: inner, time: inner, 'dumb-init': inner, tini: inner },
};

/** Returns the program that a command starts; null for a front end, an unknown program, or other than simple commands. */
export function unwrapCommand(written: string, around: Surroundings): Unwrapped | null {
	if (OPERATOR.test(written)) return null;
	const commands = splitCommands(written);
	let words: readonly string[] = splitWords(commands.at(-1) ?? '');
	const before = commands.slice(0, -1);
	const without: string[] = [];
	let env: Record<string, string> = {};
	for (let step = 0; step < MOST_STEPS; step++) {
		const set = assignments(words);
		env = { ...set.env, ...env };
		const [name = ''] = set.rest;
		if (name === '' || NO_SERVICE.test(name)) return null;
		const read = READERS[name];
		const parts = read === undefined ? { words: set.rest } : read(set.rest, around);
		if (parts === null) return null;
		env = { ...parts.env, ...env };
		before.push(...(parts.before ?? []));
		without.push(...[parts.without ?? []].flat());
		if (parts.words.join('\0') === set.rest.join('\0')) {
			const isAsWritten =
				without.length + before.length === 0 && parts.words.join(' ') === splitWords(written).join(' ');
			return { command: isAsWritten ? written : set.rest.map(quoteWord).join(' '), env, before, without };
		}
		words = parts.words;
	}
	return null;
}

/** Returns the programs that a command starts at once, joined by `&` or by a tool; empty for others. */
export function unwrapParallel(written: string, around: Surroundings): readonly Unwrapped[] {
	const words = splitWords(written);
	if (!OPERATOR.test(written) && READERS[words[0] ?? ''] === oneOfMany) return startedTogether(words, around);
	const parts = written.split(/(?<!&)&(?!&)/).filter((part) => !/^\s*(?:wait\s*)?$/.test(part));
	if (parts.length < 2) return [];
	return parts.flatMap((part) => unwrapCommand(part.trim(), around) ?? []);
}

function quoteWord(word: string): string {
	return /\$[\w{]/.test(word) ? `"${word.replace(/["\\]/g, '\\$&')}"` : shellWord(word);
}

/** Whether it is more than simple commands joined by `&&`. */
export function isShellList(written: string): boolean {
	return OPERATOR.test(written);
}

function splitCommands(text: string): string[] {
	return text.split(/\s*&&\s*/).filter((command) => command !== '');
}

export function splitWords(text: string): string[] {
	return [...text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs)].map(([word]) =>
		word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_, double?: string, single?: string, escaped?: string) =>
			double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : (single ?? escaped ?? ''),
		),
	);
}
