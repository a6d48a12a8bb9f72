/** Sentences on changed code, and why cells are affected. Names and paths are untrusted. */
import { shortPath } from '../text/impact-words.ts';
import { formatCount } from '../text/numbers.ts';
import { nameAll } from '../text/phrase.ts';
import type { CodeChange, Impact, ImpactReason } from '../types/impact.ts';
import type { Warning } from '../types/units.ts';

const MOST_NAMED = 3;

type Place = Pick<CodeChange, 'kind' | 'name' | 'path' | 'line'>;

/** Returns a warning per reason, with the affected cells. */
export function warnAffected({ cells }: Pick<Impact, 'cells'>): readonly Warning[] {
	const affected = [...cells].flatMap(([cell, reason]) => (reason === null ? [] : [{ cell, why: describe(reason) }]));
	return [...Map.groupBy(affected, ({ why }) => why)].map(([why, same]) => {
		const names = nameAll(
			same.map(({ cell }) => cell),
			MOST_NAMED,
		);
		return { code: 'affected', message: `Measured because ${why}: ${names}.` };
	});
}

/** Returns `Changed but not exercised by any row: res.sendFile (lib/response.js:430) and 2 more.`, or null. */
export function describeUncovered({ changes }: Pick<Impact, 'changes'>): string | null {
	const unrun = changes.filter(({ cells }) => cells.length === 0).map(nameChange);
	return unrun.length === 0 ? null : `Changed but not exercised by any row: ${nameAll(unrun, MOST_NAMED)}.`;
}

function describe(reason: ImpactReason): string {
	switch (reason.kind) {
		case 'code': {
			const { change, user, callsPerRequest } = reason;
			const often = callsPerRequest > 0 ? `${formatCalls(callsPerRequest)}× a request` : 'runs before the load';
			const by = user === null ? '' : `, used by ${user}()`;
			return `${nameOf(change)} changed (${placeOf(change)}${by}, ${often})`;
		}
		case 'data':
			return `${shortPath(reason.path)} changed, which base reads`;
		case 'resolution':
			return `${shortPath(reason.path)} may load other files`;
		case 'unseen':
			return `coverage of base has a gap (${reason.unseen}: ${reason.detail})`;
	}
}

function nameChange(change: Place): string {
	return `${nameOf(change)} (${placeOf(change)})`;
}

function nameOf({ kind, name, path }: Place): string {
	if (kind === 'function') return name === '' ? 'a function' : `${name}()`;
	return kind === 'file' || name === '' ? path.slice(path.lastIndexOf('/') + 1) : name;
}

function formatCalls(calls: number): string {
	return calls < 10 ? calls.toFixed(1) : formatCount(Math.round(calls));
}

function placeOf({ path, line }: Place): string {
	return `${shortPath(path)}:${line}`;
}
