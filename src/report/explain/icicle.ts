import { escapeHtml, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { shortPath } from '../../text/impact-words.ts';
import { formatMicroseconds } from '../../text/numbers.ts';
import type { Profile, ProfiledFunction } from '../../types/explain/profile.ts';

const ROW = 18;
const LEAST_PERCENT = 0.05;
const LEAST_LABELLED_PERCENT = 1.5;
const LABEL_LIMIT = 60;
const MOST_FOCUSED = 30;

const STYLES = `
.icicle { display: block; min-width: 48rem; font: 11px system-ui, sans-serif; }
.icicle rect { fill: var(--raised); stroke: var(--line); }
.icicle text { fill: var(--text); pointer-events: none; }
.icicle .slower rect { fill: var(--regressed); } .icicle .faster rect { fill: var(--improved); }
.icicle .slower text, .icicle .faster text { fill: var(--back); }
.icicle svg:hover rect, .icicle svg:focus rect { stroke: var(--text); stroke-width: 3; }
.icicle svg:focus { outline: none; }
`.trim();

interface Placed {
	readonly at: number;
	/** Percent. */
	readonly x: number;
	readonly width: number;
	readonly depth: number;
}

/** Returns both call trees as one picture in HTML; empty without frames. */
export function drawIcicle({ frames, functions, cause }: Pick<Profile, 'frames' | 'functions' | 'cause'>): string {
	const placed = placeFrames(frames);
	if (placed.length < 2) return '';
	const changes = new Map(functions.flatMap(({ clear, cost }, at) => (clear ? [[at, cost.change]] : [])));
	if (cause.kind === 'located') for (const { function: at, cost } of cause.functions) changes.set(at, cost.change);
	let focused = 0;
	const shapes = placed.map(({ at, x, width, depth }) => {
		const [, index = 0, base = 0, head = 0] = frames[at] ?? [];
		const profiled = functions[index];
		if (profiled === undefined) return '';
		const change = changes.get(index);
		const words = frameWords(profiled, base, head);
		const tone = change === undefined ? '' : ` class="${change > 0 ? 'slower' : 'faster'}"`;
		const isFocused = change !== undefined && focused++ < MOST_FOCUSED;
		const access = isFocused ? ` tabindex="0" role="img" aria-label="${words}"` : '';
		const name = escapeHtml(plainText(profiled.name, LABEL_LIMIT));
		const label = width < LEAST_LABELLED_PERCENT ? '' : `<text x="3" y="13">${name}</text>`;
		const place = `x="${x.toFixed(2)}%" y="${depth * ROW}" width="${width.toFixed(2)}%" height="${ROW - 1}"`;
		return `<svg ${place}${tone}${access}><title>${words}</title><rect width="100%" height="100%"/>${label}</svg>`;
	});
	const rows = 1 + Math.max(...placed.map(({ depth }) => depth));
	const label = 'Call trees of base and head as one; the table has the same functions';
	const picture = `<svg class="icicle" width="100%" height="${rows * ROW}" role="group" aria-label="${label}"><style>${STYLES}</style>${shapes.join('\n')}</svg>`;
	const legend =
		'A frame lies below its caller. Width: CPU time a request with callees, the longer of base and head. Coloured: functions whose change is clear of noise (orange slower, blue faster).';
	return `<div class="scroll" tabindex="0" role="region" aria-label="${label}">${picture}</div><p class="hint">${legend}</p>`;
}

/** The longer times of callees can exceed that of their caller. */
function placeFrames(frames: Profile['frames']): readonly Placed[] {
	const sums = frames.map(() => 0);
	const widths = frames.map(([, , base, head]) => Math.max(base, head));
	for (let at = frames.length - 1; at >= 0; at--) {
		widths[at] = Math.max(widths[at] ?? 0, sums[at] ?? 0);
		const parent = frames[at]?.[0] ?? -1;
		if (parent >= 0) sums[parent] = (sums[parent] ?? 0) + (widths[at] ?? 0);
	}
	const scale = 100 / (widths[0] || 1);
	const next = frames.map(() => 0);
	const depths = frames.map(() => 0);
	return frames.flatMap(([parent], at) => {
		const x = parent < 0 ? 0 : (next[parent] ?? 0);
		const width = (widths[at] ?? 0) * scale;
		next[at] = x;
		if (parent >= 0) next[parent] = x + width;
		depths[at] = parent < 0 ? 0 : (depths[parent] ?? 0) + 1;
		return width < LEAST_PERCENT ? [] : [{ at, x, width, depth: depths[at] ?? 0 }];
	});
}

function frameWords({ name, path, line }: ProfiledFunction, base: number, head: number): string {
	const place = path === '' ? '' : ` (${plainText(shortPath(path), NAME_LIMIT)}:${line})`;
	const times = `base ${formatMicroseconds(base)}, head ${formatMicroseconds(head)} a request, with callees`;
	return escapeHtml(`${plainText(name, NAME_LIMIT)}${place}: ${times}`);
}
