/** Heads that seem to keep the code that a cell runs. Each must affect the cell. */
import type { Unit } from '../../src/impact/scopes.ts';
import type { SyntaxNode } from '../../src/impact/syntax.ts';
import { folderOf, packageFileOf, type Tree } from '../../src/impact/trees.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import { applyEdits, beginWith, type CoveredScript, type Edit } from './covered-scripts.ts';

export interface HostileInput {
	readonly base: Tree;
	readonly coverage: CellCoverage;
	readonly scripts: readonly CoveredScript[];
	/** At least 0, less than 1. */
	readonly random: () => number;
}

/** Returns null if the cell has no suitable place. */
export type HostileHead = (input: HostileInput) => Tree | null;

type EditsOf = (script: CoveredScript, unit: Unit) => readonly Edit[] | null;

function some<T>(from: readonly T[], random: () => number): T | undefined {
	return from[Math.floor(random() * from.length)];
}

/** Tries places in a random order. */
function inUnits(units: (script: CoveredScript) => readonly Unit[], editsOf: EditsOf): HostileHead {
	return ({ base, scripts, random }) => {
		for (let attempt = 0; attempt < 200; attempt += 1) {
			const script = some(scripts, random);
			const unit = script && some(units(script), random);
			const edits = unit && editsOf(script, unit);
			if (!edits) continue;
			return new Map(base).set(script.path, applyEdits(script.script.text, edits));
		}
		return null;
	};
}

const inHot = (editsOf: EditsOf) => inUnits(({ hot }) => hot, editsOf);
const inIdle = (editsOf: EditsOf) => inUnits(({ idle }) => idle, editsOf);
const inNested = (editsOf: EditsOf) =>
	inUnits((script) => script.idle.filter((unit) => isVisible(script, unit)), editsOf);

/** Whether running code can read a function's signature: not if it declares a variable that no running code uses. */
function isVisible({ script, calls }: CoveredScript, unit: Unit): boolean {
	if (unit.parent !== script.top) return true;
	const around = script.statements.find(({ units }) => units.includes(unit))?.node;
	const name = around && declaredBy(around, unit);
	if (name === undefined) return true;
	const isUsedAtTop = [...script.topNames].some(([node, names]) => node !== around && names.has(name));
	return isUsedAtTop || [...calls.keys()].some((each) => each.parent !== null && each.names.has(name));
}

function declaredBy(statement: SyntaxNode, { node }: Unit): string | undefined {
	const declaration = (statement.declarations as readonly SyntaxNode[] | undefined)?.find(({ init }) => init === node);
	const id = (declaration ?? (statement === node ? node : undefined))?.id as SyntaxNode | undefined;
	return id && String(id.name);
}

/** Nodes of a function, without those of nested functions. */
function ownNodes(unit: Unit, type: string): readonly SyntaxNode[] {
	const found: SyntaxNode[] = [];
	const visit = (value: unknown): void => {
		if (Array.isArray(value)) value.forEach(visit);
		if (Array.isArray(value) || typeof value !== 'object' || value === null) return;
		const node = value as SyntaxNode;
		if (typeof node.type === 'string' && node.type === type) found.push(node);
		if (/Function/.test(String(node.type))) return;
		Object.values(node).forEach(visit);
	};
	visit(unit.node.body);
	return found;
}

const isBlock = ({ node }: Unit) => (node.body as SyntaxNode).type === 'BlockStatement';
const parametersOf = ({ node }: Unit) => node.params as readonly SyntaxNode[];
const sloppy = ({ script: { kind, text } }: CoveredScript) => kind === 'script' && !/['"]use strict['"]/.test(text);
const namesOf = (unit: Unit) =>
	parametersOf(unit).flatMap(({ type, name }) => (type === 'Identifier' ? [String(name)] : []));

/** Appends to a script that ran; `text` may be null if it makes no sense there. */
function appended(textOf: (script: CoveredScript) => string | null): HostileHead {
	return ({ base, scripts, random }) => {
		for (let attempt = 0; attempt < 200; attempt += 1) {
			const script = some(scripts, random);
			const text = script && textOf(script);
			if (!text) continue;
			return new Map(base).set(script.path, `${script.script.text}\n;${text}\n`);
		}
		return null;
	};
}

/** Changes package.json of a package with code that ran. */
function packaged(change: (manifest: Record<string, unknown>) => void): HostileHead {
	return ({ base, scripts, random }) => {
		for (let attempt = 0; attempt < 200; attempt += 1) {
			const script = some(scripts, random);
			const file = script && packageFileOf(base, script.path);
			if (!file?.includes('node_modules/')) continue;
			const manifest = JSON.parse(base.get(file) ?? '{}') as Record<string, unknown>;
			change(manifest);
			return new Map(base).set(file, JSON.stringify(manifest));
		}
		return null;
	};
}

/** A package or file that Node finds before the one that ran. */
function shadowed(place: (path: string, text: string, base: Tree) => readonly [string, string] | null): HostileHead {
	return ({ base, scripts, random }) => {
		for (let attempt = 0; attempt < 500; attempt += 1) {
			const script = some(scripts, random);
			const added = script && place(script.path, script.script.text, base);
			if (!added || base.has(added[0])) continue;
			return new Map(base).set(added[0], added[1]);
		}
		return null;
	};
}

const REQUIRED = /\brequire\((['"])([^'"\n]+)\1\)/;
const specifierOf = (text: string, isWanted: (specifier: string) => boolean): string | null => {
	for (const [, , specifier = ''] of text.matchAll(new RegExp(REQUIRED, 'g')))
		if (isWanted(specifier)) return specifier;
	return null;
};
const isPackage = (specifier: string) => /^[a-z@][\w./@-]*$/i.test(specifier) && !specifier.startsWith('node:');

export const HOSTILE_HEADS: Readonly<Record<string, HostileHead>> = {
	'a line break after return': inHot((_, unit) => {
		const statement = ownNodes(unit, 'ReturnStatement').find(({ argument }) => argument !== null);
		return statement ? [{ at: statement.start + 'return'.length, text: '\n' }] : null;
	}),
	'strict mode of a function': inHot((script, unit) =>
		sloppy(script) && isBlock(unit) ? [{ at: unit.bodyStart + 1, text: '"use strict";' }] : null,
	),
	'no strict mode': ({ base, scripts }) => {
		const script = scripts.find(
			(each) => each.script.kind === 'script' && /^\s*['"]use strict['"]/m.test(each.script.text),
		);
		return script ? new Map(base).set(script.path, script.script.text.replace(/['"]use strict['"]/, '')) : null;
	},
	'a parameter more of a function that runs': inHot((_, unit) => {
		const last = parametersOf(unit).at(-1);
		return last && last.type === 'Identifier' && unit.node.type !== 'ArrowFunctionExpression'
			? [{ at: last.end, text: ', more' }]
			: null;
	}),
	'a parameter more of a function that does not run': inNested((_, unit) => {
		const last = parametersOf(unit).at(-1);
		return last && last.type === 'Identifier' && unit.node.type !== 'ArrowFunctionExpression'
			? [{ at: last.end, text: ', more' }]
			: null;
	}),
	'a default of a parameter of a function that does not run': inNested((_, unit) => {
		const last = parametersOf(unit).at(-1);
		return last && last.type === 'Identifier' && unit.node.type !== 'ArrowFunctionExpression'
			? [{ at: last.end, text: ' = 1' }]
			: null;
	}),
	'a function that does not run made async': inNested(({ script: { text } }, { node }) =>
		text.startsWith('function', node.start) && !node.generator ? [{ at: node.start, text: 'async ' }] : null,
	),
	'a function that does not run made a generator': inNested(({ script: { text } }, { node }) =>
		text.startsWith('function', node.start) && !node.generator && !node.async
			? [{ at: node.start + 'function'.length, text: '*' }]
			: null,
	),
	'a function that runs made async': inHot(({ script: { text } }, { node }) =>
		text.startsWith('function', node.start) && !node.generator ? [{ at: node.start, text: 'async ' }] : null,
	),
	'arguments in a function that does not run': inNested((_, unit) =>
		isBlock(unit) && !unit.usesArguments && unit.node.type !== 'ArrowFunctionExpression'
			? beginWith(unit, 'arguments')
			: null,
	),
	'direct eval in a function that does not run': inIdle((_, unit) => beginWith(unit, 'eval("1")')),
	'with in a function that does not run': inIdle((script, unit) =>
		sloppy(script) && isBlock(unit) ? [{ at: unit.bodyStart + 1, text: ';with ({}) {}' }] : null,
	),
	'a function with the name of a used global': appended(({ script: { kind }, calls }) =>
		kind === 'script' && [...calls.keys()].some(({ names }) => names.has('require')) ? 'function require() {}' : null,
	),
	'a function declared twice': appended(({ script, hot }) => {
		const unit = hot.find(({ node, parent }) => node.type === 'FunctionDeclaration' && parent === script.top);
		return unit && script.kind === 'script' ? `function ${unit.name}() {}` : null;
	}),
	'a variable with the name of the wrapper’s': appended(({ script: { kind } }) =>
		kind === 'script' ? 'var exports = 1, module = {}' : null,
	),
	'other exports': appended(({ script: { kind } }) => (kind === 'script' ? 'module.exports = {}' : null)),
	'a decorator': appended(() => '@decorated class Decorated {}'),
	'a static block': appended(() => 'class Blocks { static { globalThis.held = 1 } }'),
	'a class field': appended(() => 'class Fields { a = 1 }'),
	'a computed key': appended(() => 'const keys = { [globalThis.held = 1]: 1 }'),
	'a statement at start': appended(() => 'globalThis.held = 1'),
	'a prototype changed at start': appended(() => 'Object.prototype.held = 1'),
	'a built-in function replaced at start': appended(() => 'JSON.stringify = (value) => String(value)'),
	'a module with effects': appended(({ script: { kind } }) => (kind === 'script' ? 'require("node:cluster")' : null)),
	'a tagged template': appended(() => 'String.raw`${globalThis.held = 1}`'),
	'a timer at start': appended(() => 'setInterval(() => {}, 1)'),
	'a listener of errors': appended(() => 'process.on("uncaughtException", () => {})'),
	'a syntax error': appended(() => 'function ('),
	'many functions': appended(() => 'function more() {}\n'.repeat(20_000)),
	'deeply nested code': appended(() => `${'('.repeat(50_000)}1${')'.repeat(50_000)}`),
	'a variable assigned that code that runs reads': inIdle((_, unit) => {
		const [name] = unit.parent?.parent ? namesOf(unit.parent).filter((each) => !unit.names.has(each)) : [];
		return name === undefined || namesOf(unit).includes(name) ? null : beginWith(unit, `${name} = 1`);
	}),
	'a variable captured of a function that runs': inIdle(({ script }, unit) => {
		const around = unit.parent;
		if (!around?.parent || namesOf(unit).length > 0) return null;
		const isFree = (name: string) =>
			[...script.units.values()].every((each) => each === around || each.parent !== around || !each.names.has(name));
		const name = namesOf(around).find((each) => isFree(each) && !unit.names.has(each));
		return name === undefined || around.children.some((child) => child.names.has(name)) ? null : beginWith(unit, name);
	}),
	'let for const in a function that runs': inHot(({ script: { text } }, unit) => {
		const constant = ownNodes(unit, 'VariableDeclaration').find(
			({ kind, start }) => kind === 'const' && text.startsWith('const', start),
		);
		return constant ? [{ at: constant.start, text: 'let  ', instead: 5 }] : null;
	}),
	'a debugger statement in a function that runs': inHot((_, unit) =>
		isBlock(unit) && !(unit.node.body as unknown as { body: { directive?: string }[] }).body[0]?.directive
			? [{ at: unit.bodyStart + 1, text: 'debugger;' }]
			: null,
	),
	'a flag of a regular expression that runs': inHot((_, unit) => {
		const pattern = ownNodes(unit, 'Literal').find(
			({ regex }) => regex && !/[sv]/.test((regex as { flags: string }).flags),
		);
		return pattern ? [{ at: pattern.end, text: 's' }] : null;
	}),
	'another number in a function that runs': inHot((_, unit) => {
		const number = ownNodes(unit, 'Literal').find(({ value }) => typeof value === 'number');
		return number ? [{ at: number.start, text: '7', instead: number.end - number.start }] : null;
	}),
	'another operator in a function that runs': inHot(({ script: { text } }, unit) => {
		const comparison = ownNodes(unit, 'BinaryExpression').find(({ operator }) => operator === '===');
		const at = comparison && text.indexOf('===', (comparison.left as SyntaxNode).end);
		return at === undefined ? null : [{ at, text: '==', instead: 3 }];
	}),
	'a statement in the program of the server': inHot(({ path }, unit) =>
		path.includes('node_modules/') ? null : beginWith(unit, 'globalThis.held'),
	),
	'main of package.json': packaged((manifest) => {
		manifest.main = './elsewhere.js';
		delete manifest.exports;
	}),
	'exports of package.json': packaged((manifest) => {
		manifest.exports = { '.': './elsewhere.js' };
	}),
	'type of package.json': packaged((manifest) => {
		manifest.type = manifest.type === 'module' ? 'commonjs' : 'module';
	}),
	'a nested package that comes first': shadowed((path, text) => {
		const specifier = specifierOf(text, isPackage);
		const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
		if (specifier === null || folder === undefined || BUILT_IN_NAMES.has(specifier.split('/')[0] ?? '')) return null;
		const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];
		return [`${folder}/node_modules/${name}/index.js`, 'module.exports = {}'];
	}),
	'a file without an extension that comes first': shadowed((path, text, base) => {
		const specifier = specifierOf(text, (each) => /^\.\.?\/[\w./-]+$/.test(each) && !/\.\w+$/.test(each));
		if (specifier === null) return null;
		const target = joined(folderOf(path), specifier);
		return base.has(`${target}.js`) ? [target, 'module.exports = {}'] : null;
	}),
	'a file that comes before a folder': shadowed((path, text, base) => {
		const specifier = specifierOf(text, (each) => /^\.\.?\/[\w./-]+$/.test(each) && !/\.\w+$/.test(each));
		if (specifier === null) return null;
		const target = joined(folderOf(path), specifier);
		return base.has(`${target}/index.js`) ? [`${target}.js`, 'module.exports = {}'] : null;
	}),
	'a script that is gone': ({ base, scripts, random }) => {
		const script = some(scripts, random);
		const head = new Map(base);
		return script && head.delete(script.path) ? head : null;
	},
	'a link instead of a script': ({ base, scripts, random }) => {
		const script = some(scripts, random);
		return script ? new Map(base).set(script.path, '-> /tmp/elsewhere.js') : null;
	},
	'data that base read': ({ base, coverage, random }) => {
		const path = some(
			coverage.reads.filter((each) => base.has(each) && !each.endsWith('package.json')),
			random,
		);
		return path === undefined ? null : new Map(base).set(path, `${base.get(path)} `.replace(/"/, '"x'));
	},
};

const BUILT_IN_NAMES = new Set(
	'assert async_hooks buffer child_process cluster crypto dgram diagnostics_channel dns events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline stream string_decoder timers tls tty url util v8 vm worker_threads zlib'.split(
		' ',
	),
);

function joined(folder: string, specifier: string): string {
	const parts = folder.split('/');
	for (const part of specifier.split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '.') parts.push(part);
	}
	return parts.join('/');
}
