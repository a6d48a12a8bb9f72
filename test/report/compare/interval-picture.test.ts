import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { chooseScale, drawInterval, type Span } from '../../../src/report/compare/interval-picture.ts';

const SCALE = { low: -0.1, high: 0.1 };
const span = (low: number | null, mid: number, high: number | null): Span => ({ low, mid, high, threshold: 0.05 });
const draw = (of: Span | null): string => drawInterval(of, 0.05, SCALE, 21);

test('a picture shows interval, estimate, threshold and zero in the right places', () => {
	assert.equal(draw(span(-0.09, -0.07, -0.06)), ' ├─●┤╎    │          ');
	assert.equal(draw(span(-0.07, -0.03, 0.02)), '   ├─╫─●──┼─┤        ');
	assert.equal(draw(span(0.03, 0.05, 0.07)), '     ╎    │  ├─●─┤   ');
	assert.equal(draw(span(0.02, 0.02, 0.02)), '     ╎    │ ●        ');
	assert.equal(draw(null), '     ╎    │          ');
});

test('a part beyond the scale ends in an arrow', () => {
	assert.equal(draw(span(null, -0.02, null)), '◄────╫──●─┼─────────►');
	assert.equal(draw(span(-0.5, -0.4, -0.3)), '●    ╎    │          ');
	assert.equal(draw(span(-0.5, -0.08, 0.01)), '◄─●──╫────┼┤         ');
});

test('every picture of a table is equally wide and shows one estimate', () => {
	const change = fc.double({ min: -0.9, max: 5, noNaN: true });
	const end = fc.option(fc.double({ min: 0, max: 2, noNaN: true }));
	const anySpan = fc.record({ mid: change, down: end, up: end, threshold: fc.constantFrom(0.01, 0.05, 0.2) }).map(
		(made): Span => ({
			low: made.down === null ? null : made.mid - made.down,
			mid: made.mid,
			high: made.up === null ? null : made.mid + made.up,
			threshold: made.threshold,
		}),
	);
	fc.assert(
		fc.property(fc.array(anySpan, { minLength: 1 }), fc.integer({ min: 11, max: 60 }), (spans, width) => {
			const scale = chooseScale(spans);
			for (const each of spans) {
				const picture = drawInterval(each, each.threshold, scale, width);
				assert.equal(stringWidth(picture), width);
				assert.equal(picture.split('●').length, 2);
			}
		}),
	);
});

test('one wild row does not squeeze the others out of sight', () => {
	const scale = chooseScale([span(-0.02, 0, 0.02), span(-0.99, -0.9, 4)]);
	assert.deepEqual(scale, { low: -0.4, high: 0.03 });
});
