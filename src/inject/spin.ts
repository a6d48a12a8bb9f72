/**
 * Work of constant cost per unit, in WebAssembly: a JavaScript loop changes speed between calls with the engine's
 * optimisations.
 */
const MULTIPLIER = 1_664_525;
const INCREMENT = 1_013_904_223;

const I32 = 0x7f;
const VOID = 0x40;
/** `spin(units, value)`: `units` dependent steps of value = value × multiplier + increment. */
const BODY = [
	...[0x02, VOID, 0x03, VOID], // block, loop
	...[0x20, 0, 0x45, 0x0d, 1], // leave the block when units is 0
	...[0x20, 1, 0x41, ...signedLeb(MULTIPLIER), 0x6c, 0x41, ...signedLeb(INCREMENT), 0x6a, 0x21, 1], // value
	...[0x20, 0, 0x41, 1, 0x6b, 0x21, 0], // one unit less
	...[0x0c, 0, 0x0b, 0x0b], // again
	...[0x20, 1, 0x0b], // return value
];
const NAME = [...Buffer.from('spin')];
const MODULE = [
	...Buffer.from('\0asm'),
	...[1, 0, 0, 0],
	...section(1, [1, 0x60, 2, I32, I32, 1, I32]), // one type: two numbers to one
	...section(3, [1, 0]), // one function of it
	...section(7, [1, NAME.length, ...NAME, 0, 0]),
	...section(10, [1, BODY.length + 1, 0, ...BODY]), // without locals
];

/** After this many calls, the engine has compiled the loop for good. */
const WARMING_CALLS = 200;
const WARMING_UNITS = 25_000;

/** Returns a warm function that does the given number of units, about 1.5 ns each. */
export function prepareSpin(): (units: number) => void {
	const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(MODULE)));
	const spin = exports.spin as (units: number, value: number) => number;
	let value = 1;
	const run = (units: number): void => {
		value = spin(units, value);
	};
	for (let call = 0; call < WARMING_CALLS; call++) run(WARMING_UNITS);
	return run;
}

function section(id: number, content: readonly number[]): number[] {
	return [id, content.length, ...content];
}

/** Signed LEB128, the encoding of WebAssembly constants. */
function signedLeb(constant: number): number[] {
	const bytes: number[] = [];
	for (let remainder = constant; ; ) {
		const byte = remainder & 0x7f;
		remainder >>= 7;
		const isLast = (remainder === 0 && (byte & 0x40) === 0) || (remainder === -1 && (byte & 0x40) !== 0);
		bytes.push(isLast ? byte : byte | 0x80);
		if (isLast) return bytes;
	}
}
