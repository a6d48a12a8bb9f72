/** Coverage that a baseline keeps. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type KeptCoverage, MOST_PACKED } from '../../types/baseline.ts';
import type { SubjectCoverage } from '../../types/coverage.ts';
import { findExcess } from '../json-scan.ts';
import { validate } from './coverage-validator.ts';

const LIMITS = { bytes: 32 * 1024 * 1024, depth: 8, values: 4_000_000 } as const;
/** The highest is ten times slower, and 5 % smaller. */
const QUALITY = 9;

/** Returns base64 text; null if it is too long for a baseline. */
export function packCoverage(cells: SubjectCoverage): string | null {
	const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
	const packed = brotliCompressSync(JSON.stringify(cells), { params }).toString('base64');
	return packed.length <= MOST_PACKED ? packed : null;
}

/** Returns null for anything but what `packCoverage` writes. */
export function unpackCoverage({ packed }: Pick<KeptCoverage, 'packed'>): SubjectCoverage | null {
	try {
		const text = brotliDecompressSync(Buffer.from(packed, 'base64'), { maxOutputLength: LIMITS.bytes }).toString();
		if (findExcess(text, LIMITS) !== null) return null;
		const value: unknown = JSON.parse(text);
		return validate(value) ? value : null;
	} catch {
		return null;
	}
}
