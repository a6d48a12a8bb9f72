/** Finds checkout files that a shell script of simple commands executes. */
import { posix } from 'node:path';

export interface Script {
	/** Files and folders that commands name. */
	readonly places: readonly string[];
	/** Scripts that it runs. A sourced script runs in the same shell. */
	readonly scripts: readonly { readonly path: string; readonly folder: string; readonly sourced: boolean }[];
	readonly folders: readonly string[];
	/** `scripts`: whether install scripts run. */
	readonly installs: readonly { readonly folder: string; readonly scripts: boolean }[];
	/** The first command that may execute any file. */
	readonly unread: string | null;
}

/** Variables that change which code a program loads. */
const LOADING =
	/^(?:PATH|PATHEXT|SHELL|BASH_\w+|ENV|IFS|CDPATH|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|HOME|CURL_HOME|PSQLRC|XDG_\w+|TMPDIR|NODE_\w+|npm_\w+|PNPM_\w+|YARN_\w+|BUN_\w+|DENO_\w+|COREPACK_\w+|LD_\w+|DYLD_\w+|GLIBC_\w+|GCONV_PATH|MALLOC_\w+|PYTHON\w*|PIP_\w+|RUBY\w*|GEM_\w+|BUNDLE_\w+|PERL\w*|PHP\w*|COMPOSER\w*|JAVA_\w+|_JAVA_\w+|JDK_\w+|MAVEN_\w+|GRADLE_\w+|GIT_\w+|GO\w+|CGO_\w+|CARGO\w*|RUST\w+|CC|CXX|LD|MAKE\w*|DOCKER_\w+|COMPOSE_\w+|OPENSSL_\w+|SSL_\w+|DOTNET_\w+|CORECLR_\w+|GITHUB_\w+|RUNNER_\w+|ACTIONS_\w+)$/i;
/** Values that name neither file nor module: `--max-old-space-size=4096`. */
const PLAIN_VALUE =
	/^(?:\$SETTLED|production|development|test|true|false|\d+|--(?:max-old-space-size|max-semi-space-size|stack-trace-limit)=\d+|\s)*$/;
/** Shell words before a command. */
const BEFORE = /^(?:if|then|else|elif|while|until|do|!|time|exec|command|nohup|sudo)$/;
/** End of a command list, or of the text. */
const ENDING = /^(?:\r?\n|;)?$/;
const OPENING = /^(?:if|while|until|for)$/;
const CLOSING = /^(?:fi|done)$/;
/** `..` after a folder, which may be a link. */
const UP_AGAIN = /(?:^|[/:=])(?!\.{1,2}\/)[^/:=]+\/(?:\.\/)*\.\.(?:\/|$)/;
/** Commands that close blocks or affect only the shell. */
const NOTHING =
	/^(?:fi|done|:|true|false|break|continue|exit|return|set|for|sleep|wait|date|uname|whoami|id|nproc|lscpu|free|df|pwd|shopt|umask|ulimit|echo|printf)$/;
/** Commands that read or remove files, but execute no file. */
const READING = /^(?:ls|cat|head|tail|wc|grep|test|\[\[?|stat|file|du|diff|cmp|mkdir|rm|rmdir|md5sum|sha256sum)$/;
const EVALUATING = /^(?:printf|test|\[\[?)$/;
const APT = /^(?:-(?:y|q|qq|yq|yqq)|--(?:yes|quiet|no-install-recommends)|[\w.+-]+(?:=[\w.:+~-]+)?)$/;
/** Arguments of programs that read only named files. */
const OUTSIDE: Readonly<Record<string, RegExp>> = {
	'apt-get': APT,
	apt: APT,
	systemctl: /^(?:--now|[\w@.-]+)$/,
	service: /^[\w-]+$/,
	sysctl: /^(?:-w|[\w.]+=\w+)$/,
	docker:
		/^(?:pull|run|start|ps|logs|-[dit]+|--(?:rm|detach|quiet)|--(?:name|network|health-[\w-]+)(?:=[\w.-]+)?|-[pe]|--(?:publish|env)|\d[\d.:]*(?:\/(?:tcp|udp))?|[A-Z_]+=[\w@.-]*|[a-z\d][\w-]*(?:[.:/@][\w-]+)*)$/,
	pg_isready: /^-?[\w.-]+$/,
	createdb: /^-?[\w.-]+$/,
	psql: /^(?:-[hUpdcwqtA]+|(?!-)[^/\\$`|]*|postgres(?:ql)?:\/\/[\w:@./-]+)$/,
	curl: /^(?:-[sSfLIkv]+|--(?:fail|silent|show-error|location|retry|retry-[\w-]+|max-time)|\d+|https?:\/\/[\w./:?=&%+~-]+)$/,
	corepack: /^\w+$/,
};
/** Allowed subcommands. Others of these programs read files of the checkout. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
	'apt-get': ['update', 'install', 'upgrade'],
	apt: ['update', 'install', 'upgrade'],
	systemctl: ['start', 'stop', 'restart', 'status', 'enable', 'disable'],
	docker: ['pull', 'run', 'start', 'ps', 'logs'],
	corepack: ['enable', 'disable'],
};
/** Flags that do not change which files count. */
const INSTALL_FLAG =
	/^(?:--(?:ignore-scripts|frozen-lockfile|immutable|no-audit|no-fund|audit=false|fund=false|prefer-offline|omit=\w+|production|silent|no-save|legacy-peer-deps|force|no-progress|loglevel=\w+)|-[gDPE]|--global)$/;
const REGISTRY_PACKAGE = /^(?:@[\w.-]+\/)?[\w-][\w.-]*(?:@[\w.^~*-]+)?$/;
const INSTALLERS: Readonly<Record<string, readonly string[]>> = {
	npm: ['ci', 'install', 'i', 'clean-install'],
	pnpm: ['install', 'i'],
	yarn: ['install'],
	bun: ['install', 'i'],
};
/** Targets that no later step reads as code or environment. */
const HARMLESS_TARGET = /^(?:\/dev\/(?:null|stdout|stderr)|&[12]|\$(?:GITHUB_STEP_SUMMARY|\{GITHUB_STEP_SUMMARY\}))$/;

export function readScript(text: string, folder: string): Script {
	const commands = splitCommands(text);
	const script = new Commands(folder);
	if (commands === null) script.refuse([text.trim()]);
	else for (const command of commands) script.read(command);
	return script;
}

/** Returns the files that a variable names, without `./`; null if it may change which code programs load. */
export function readEnvironment(name: string, value: string): readonly string[] | null {
	if (value.includes('${{')) return null;
	if (UP_AGAIN.test(value)) return null;
	if (LOADING.test(name)) return PLAIN_VALUE.test(value) ? [] : null;
	const words = value.split(/[\s,;="']+/).filter((word) => !/^[a-z][\w+.-]*:\/\//i.test(word));
	// A mount has two paths.
	const paths = words.flatMap((word) => word.split(':')).filter((part) => /[./]|GITHUB_WORKSPACE/.test(part));
	if (paths.some((path) => path.includes('$MATRIX'))) return null;
	return paths.flatMap((path) => inCheckout(path) ?? []);
}

/** Normalises a path of the checkout; empty for its top. Null if it is outside or unknown. */
export function inCheckout(word: string, folder = ''): string | null {
	const [, rooted] = /^\$(?:GITHUB_WORKSPACE|\{GITHUB_WORKSPACE\})(?:\/|$)(.*)$/.exec(word) ?? [];
	const path = rooted ?? word;
	if (path.startsWith('/') || /[$`*?[\]{}~]/.test(path) || UP_AGAIN.test(word)) return null;
	const joined = posix.normalize(posix.join(rooted === undefined ? folder : '', path)).replace(/\/$/, '');
	if (joined === '..' || joined.startsWith('../')) return null;
	return joined === '.' ? '' : joined;
}

interface Command {
	readonly words: readonly string[];
	/** Reads another command's output, or a file. */
	readonly fed: boolean;
	readonly targets: readonly string[];
	/** Operators around it; empty at the ends of the text. */
	readonly before: string;
	readonly after: string;
}

class Commands implements Script {
	readonly places: string[] = [];
	readonly scripts: { path: string; folder: string; sourced: boolean }[] = [];
	readonly folders: string[] = [];
	readonly installs: { folder: string; scripts: boolean }[] = [];
	unread: string | null = null;
	#folder: string;
	/** Depth of conditions and loops. */
	#depth = 0;

	constructor(folder: string) {
		this.#folder = folder;
	}

	refuse(words: readonly string[]): void {
		this.unread ??= words.join(' ').split('\n')[0] ?? '';
	}

	read(command: Command): void {
		const isHarmless = command.targets.every((target) => HARMLESS_TARGET.test(target));
		const isClear = !command.words.some((word) => UP_AGAIN.test(word));
		if (!isHarmless || !isClear || !this.#simple(command)) this.refuse(command.words);
	}

	/** Includes assignments and shell words before the command. */
	#simple(command: Command): boolean {
		let words = command.words;
		for (;;) {
			const [first = '', ...otherWords] = words;
			const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(first) ?? [];
			if (name !== undefined && !this.#assign(name, value)) return false;
			if (OPENING.test(first)) this.#depth++;
			if (CLOSING.test(first)) this.#depth--;
			if (name === undefined && !BEFORE.test(first)) break;
			words = otherWords;
		}
		return words.length === 0 || this.#command(words, command);
	}

	#assign(name: string, value: string): boolean {
		const places = value.includes('$') && LOADING.test(name) ? null : readEnvironment(name, value);
		this.places.push(...(places ?? []));
		return places !== null;
	}

	#command([name = '', ...words]: readonly string[], command: Command): boolean {
		if (name === 'export' || name === 'declare' || name === 'readonly')
			return words.every((word) => {
				const [, variable, value = ''] = /^(\w+)(?:\+?=(.*))?$/s.exec(word) ?? [];
				return variable === undefined ? /^-[prx]+$/.test(word) : this.#assign(variable, value);
			});
		if (name === 'cd') return this.#enter(words, command);
		// Bash evaluates the name after -v.
		if (EVALUATING.test(name) && words.includes('-v')) return false;
		if (NOTHING.test(name)) return !words.some((word) => /::(?:add-path|set-env)\b/.test(word));
		if (READING.test(name)) {
			this.places.push(...words.filter((word) => /[./]/.test(word)).flatMap((word) => this.#named(word) ?? []));
			return true;
		}
		const outside = Object.hasOwn(OUTSIDE, name) ? OUTSIDE[name] : undefined;
		if (outside !== undefined) {
			const verb = words.find((word) => !word.startsWith('-')) ?? '';
			return !command.fed && words.every((word) => outside.test(word)) && (VERBS[name]?.includes(verb) ?? true);
		}
		if (Object.hasOwn(INSTALLERS, name)) return this.#install(name, words);
		return this.#shell(name, words);
	}

	/** After a conditional `cd`, or one in a subshell, the folder is unknown. */
	#enter([to = '', ...more]: readonly string[], { words, before, after }: Command): boolean {
		const isCertain =
			this.#depth === 0 && words[0] === 'cd' && ENDING.test(before) && (after === '&&' || ENDING.test(after));
		const folder = inCheckout(to, this.#folder);
		if (!isCertain || to === '' || more.length > 0 || folder === null || to.startsWith('-')) return false;
		this.#folder = folder;
		this.folders.push(folder);
		return true;
	}

	#install(name: string, words: readonly string[]): boolean {
		const flags = words.filter((word) => word.startsWith('-'));
		const [verb = 'install', ...packages] = words.filter((word) => !word.startsWith('-'));
		if (!INSTALLERS[name]?.includes(verb)) return false;
		const isFromRegistry = (word: string) => REGISTRY_PACKAGE.test(word) && !/\.(?:tgz|tar|gz)$/.test(word);
		if (!flags.every((flag) => INSTALL_FLAG.test(flag)) || !packages.every(isFromRegistry)) return false;
		const isGlobal = flags.some((flag) => flag === '-g' || flag === '--global');
		const runsNone = flags.includes('--ignore-scripts') || (isGlobal && packages.length > 0);
		this.installs.push({ folder: this.#folder, scripts: !runsNone });
		// Other package managers run code that depends on version and settings.
		return name === 'npm' || runsNone;
	}

	/** A script run by its path, or as argument of a shell. */
	#shell(name: string, words: readonly string[]): boolean {
		const isShell = /^(?:bash|sh|source|\.)$/.test(name);
		const operands = isShell ? words.slice(words.findIndex((word) => !/^-[eux]+$/.test(word))) : [name];
		const [file = ''] = operands;
		const path = this.#named(file);
		if (path === null || path === '' || file === '' || (!isShell && !file.includes('/')) || file.startsWith('-'))
			return false;
		this.scripts.push({ path, folder: this.#folder, sourced: name === '.' || name === 'source' });
		this.places.push(...words.flatMap((word) => (/[./]/.test(word) ? (this.#named(word) ?? []) : [])));
		return true;
	}

	#named(word: string): string | null {
		return inCheckout(word, this.#folder);
	}
}

/** Null for functions, substitutions and here documents. */
function splitCommands(text: string): readonly Command[] | null {
	const commands: Command[] = [];
	let words: string[] = [];
	let targets: string[] = [];
	let before = '';
	const end = (after: string) => {
		const isEmpty = words.length === 0 && targets.length === 0;
		if (!isEmpty) commands.push({ words, targets, fed: before === '|', before, after });
		// If a line ends with an operator, the list continues on the next line.
		if (!isEmpty || !/^\r?\n$/.test(after)) before = after;
		[words, targets] = [[], []];
	};
	// Alternatives: blanks, comments, redirections, operators, words.
	const token =
		/(?:[ \t]|\\\r?\n)+|(?<![^\s;&|])#[^\n]*|(\d?>>?|&>>?)[ \t]*|(\r?\n|&&|\|\||[;&|])|((?:[^\s\\'"`;&|<>(){}#]|(?<=[^\s;&|])#|\$\{\w+\}|\\[^\n]|'[^']*'|"(?:[^"\\`$]|\\.|\$(?!\())*")+)/gy;
	let isTarget = false;
	while (token.lastIndex < text.length) {
		const match = token.exec(text);
		if (match === null) return null;
		const [, redirect, operator, word] = match;
		if (operator !== undefined) {
			// A redirection without a target.
			if (isTarget) return null;
			// Part of `|&`.
			if (operator === '&' && words.length === 0) return null;
			end(operator);
		} else if (redirect !== undefined) {
			isTarget = true;
			const [, copied] = /^&([12])/.exec(text.slice(token.lastIndex)) ?? [];
			if (copied === undefined) continue;
			targets.push(`&${copied}`);
			token.lastIndex += 2;
			isTarget = false;
		} else if (word !== undefined) {
			if (isTarget) targets.push(unquote(word));
			else words.push(unquote(word));
			isTarget = false;
		}
	}
	if (isTarget) return null;
	end('');
	return commands;
}

/** Keeps variables unexpanded. */
function unquote(word: string): string {
	return word.replace(
		/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
		(_, single, double, escaped) => single ?? (double as string | undefined)?.replace(/\\([\\"$`])/g, '$1') ?? escaped,
	);
}
