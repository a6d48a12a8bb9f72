import { escapeHtml, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { shortPath } from '../../text/impact-words.ts';
import { formatMicroseconds } from '../../text/numbers.ts';
import type { Profile, ProfiledFunction } from '../../types/explain/profile.ts';

const ROW = 18;
const LEAST_PERCENT = 0.05;
const LEAST_LABELLED_PERCENT = 1.5;
const LABEL_LIMIT = 60;
const MOST_FOCUSED = 30;
const MOST_NAMED = 200;

const STYLES = `
.icicle { display: block; min-width: 48rem; font: 11px system-ui, sans-serif; }
.icicle rect, .icicle path { fill: var(--raised); stroke: var(--line); }
.icicle text { fill: var(--text); pointer-events: none; }
.icicle .slower > rect, .icicle rect.slower { fill: var(--regressed); }
.icicle .faster > rect, .icicle rect.faster { fill: var(--improved); }
.icicle .slower text, .icicle .faster text { fill: var(--back); }
.icicle rect:hover, .icicle rect:focus, .icicle svg:focus > rect { stroke: var(--text); stroke-width: 3; }
.icicle rect:focus, .icicle svg:focus { outline: none; }
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
	const changeAt = (at: number) => changes.get(frames[at]?.[1] ?? -1);
	const largest = placed.toSorted((one, other) => other.width - one.width);
	const [plain, coloured] = [false, true].map((is) => largest.filter(({ at }) => (changeAt(at) !== undefined) === is));
	const named = new Set([...(coloured ?? []), ...(plain ?? [])].slice(0, MOST_NAMED));
	let focused = 0;
	const shapes = placed.map((each) => {
		const { at, x, width, depth } = each;
		const [, index = 0, base = 0, head = 0] = frames[at] ?? [];
		const profiled = functions[index];
		if (profiled === undefined || !named.has(each)) return '';
		const change = changeAt(at);
		const words = frameWords(profiled, base, head);
		const tone = change === undefined ? '' : ` class="${change > 0 ? 'slower' : 'faster'}"`;
		const isFocused = change !== undefined && focused++ < MOST_FOCUSED;
		const access = isFocused ? ` tabindex="0" role="img" aria-label="${words}"` : '';
		const place = `x="${x.toFixed(2)}%" y="${depth * ROW}" width="${width.toFixed(2)}%" height="${ROW - 1}"${tone}${access}`;
		if (width < LEAST_LABELLED_PERCENT) return `<rect ${place}><title>${words}</title></rect>`;
		const name = escapeHtml(plainText(profiled.name, LABEL_LIMIT));
		return `<svg ${place}><title>${words}</title><rect width="100%" height="100%"/><text x="3" y="13">${name}</text></svg>`;
	});
	const unnamed = drawUnnamed(placed.filter((each) => !named.has(each)));
	const rows = 1 + Math.max(...placed.map(({ depth }) => depth));
	const label = 'Call trees of base and head as one; the table has the same functions';
	const picture = `<svg class="icicle" width="100%" height="${rows * ROW}" role="group" aria-label="${label}"><style>${STYLES}</style>${unnamed}${shapes.filter((shape) => shape !== '').join('\n')}</svg>`;
	const legend =
		'A frame lies below its caller. Width: CPU time a request with callees, the longer of base and head. Coloured: functions whose change is clear of noise (orange slower, blue faster).';
	return `<div class="scroll" tabindex="0" role="region" aria-label="${label}">${picture}</div><p class="hint">${legend}</p>`;
}

/** As one shape: a phone needs 0.2 ms for each element. */
function drawUnnamed(placed: readonly Placed[]): string {
	if (placed.length === 0) return '';
	const height = ROW * (1 + Math.max(...placed.map(({ depth }) => depth)));
	const outline = placed
		.map(
			({ x, width, depth }) => `M${x.toFixed(2)} ${depth * ROW}h${width.toFixed(2)}v${ROW - 1}h-${width.toFixed(2)}z`,
		)
		.join('');
	const words = `${placed.length} small frames, named in explain.json`;
	return `<svg width="100%" height="${height}" viewBox="0 0 100 ${height}" preserveAspectRatio="none"><path vector-effect="non-scaling-stroke" d="${outline}"><title>${words}</title></path></svg>`;
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
