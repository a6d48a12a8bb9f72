/** Seeded source of all randomness of a run, equal on every machine. */
export interface Random {
	/** Uniform in [0, 1). */
	next(): number;
	coin(): boolean;
	shuffle<T>(items: readonly T[]): T[];
	/** Standard normal, for simulations. */
	normal(): number;
}

/**
 * Returns a generator seeded with `seed` and `stream`, which separates streams. Algorithm: sfc32 (Chris Doty-Humphrey,
 * PractRand), after 15 warm-up steps; normals by Marsaglia's polar method.
 */
export function createRandom(seed: number, ...stream: readonly number[]): Random {
	const words = [seed, ...stream].reduce((state, word) => mix(state, word), 0x9e3779b9);
	let a = mix(words, 1);
	let b = mix(words, 2);
	let c = mix(words, 3);
	let counter = 1;
	const next = (): number => {
		const sum = (a + b + counter) | 0;
		counter = (counter + 1) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = (c << 21) | (c >>> 11);
		c = (c + sum) | 0;
		return (sum >>> 0) / 4294967296;
	};
	for (let step = 0; step < 15; step++) next();
	return {
		next,
		coin: () => next() < 0.5,
		shuffle: (items) => shuffle(items, next),
		normal: () => polarNormal(next),
	};
}

/** MurmurHash3 finaliser. */
function mix(state: number, word: number): number {
	let hash = (state ^ Math.imul(word | 0, 0x85ebca6b) ^ Math.floor(word / 4294967296)) | 0;
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) | 0;
}

function shuffle<T>(items: readonly T[], next: () => number): T[] {
	const shuffled = [...items];
	for (let last = shuffled.length - 1; last > 0; last--) {
		const other = Math.floor(next() * (last + 1));
		[shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
	}
	return shuffled;
}

function polarNormal(next: () => number): number {
	for (;;) {
		const x = 2 * next() - 1;
		const y = 2 * next() - 1;
		const square = x * x + y * y;
		if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
	}
}
