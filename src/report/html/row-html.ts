import { createHash } from 'node:crypto';
import { escapeHtml } from '../../text/escape.ts';
import type { CellResult } from '../../types/result.ts';
import type { Fraction } from '../../types/units.ts';
import type { Scale } from '../compare/interval-picture.ts';
import { VERDICT_MARKS } from '../compare/marks.ts';
import type { Row } from '../compare/rows.ts';

const LONG_NAME = 20;

/** Returns the fragment of a row's address. */
export function idOf({ server, scenario, cell: { metric } }: Row): string {
	return fragmentOf('row', [server, scenario, ...(metric === 'throughput' ? [] : [metric])].join('/'));
}

/** Returns the fragment of a row's explanation. */
export function whyId({ server, scenario }: Pick<CellResult, 'server' | 'scenario'>): string {
	return fragmentOf('why', `${server}/${scenario}`);
}

function fragmentOf(kind: string, name: string): string {
	if (/^[\w./–-]+$/.test(name)) return `${kind}-${name}`;
	return `${kind}-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

export function writeName(name: string): string {
	return `<code class="${name.length > LONG_NAME ? 'long' : 'short'}">${escapeHtml(name)}</code>`;
}

export function writeScenario(row: Row): string {
	return `<a href="#${escapeHtml(idOf(row))}">${writeName(row.scenario)}</a>`;
}

export function writeChange(row: Row): string {
	if (row.change === '–') return '–';
	return `<strong>${escapeHtml(row.change)}</strong> <span class="interval">${escapeHtml(row.interval)}</span>`;
}

export function writeVerdict(row: Row, isExplained: boolean): string {
	const marks = row.notes.map((number) => `<a href="#note-${number}"><sup>${number}</sup></a>`).join(' ');
	const why = isExplained ? `<a href="#${escapeHtml(whyId(row.cell))}">why</a> ` : '';
	return `<span class="verdict ${row.verdict}"><span aria-hidden="true">${VERDICT_MARKS[row.verdict]}</span> ${row.verdict}</span> ${why}${marks}`;
}

export function drawIntervalSvg({ span, cell, verdict }: Row, scale: Scale): string {
	if (span === null) return '–';
	const at = (value: Fraction | null, edge: number): string => {
		const share = value === null ? edge : (value - scale.low) / (scale.high - scale.low);
		return `${(2 + 96 * Math.min(Math.max(share, 0), 1)).toFixed(2)}%`;
	};
	const line = (name: string, value: Fraction): string =>
		`<line class="${name}" x1="${at(value, 0)}" x2="${at(value, 0)}" y1="0" y2="20"/>`;
	return [
		`<svg class="picture ${verdict}" width="100%" height="20" aria-hidden="true">`,
		line('zero', 0),
		line('tolerance', -cell.tolerance),
		line('threshold', -cell.threshold),
		`<line class="bar" x1="${at(span.low, 0)}" x2="${at(span.high, 1)}" y1="10" y2="10"/>`,
		`<circle class="dot" cx="${at(span.mid, 0)}" cy="10" r="4.5"/>`,
		'</svg>',
	].join('');
}
