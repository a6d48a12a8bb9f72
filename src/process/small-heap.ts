/**
 * Limits V8's young generation: a measurement keeps little alive, and short-lived garbage made up most of its memory.
 */
import { setFlagsFromString } from 'node:v8';

/** MiB per semi-space. V8's default limit is 16 for each of the two, and V8 keeps memory that it once took. */
const LARGEST_HALF = 1;

// V8 reads both flags when the young generation would grow (https://nodejs.org/api/v8.html#v8setflagsfromstringflags).
setFlagsFromString(`--max-semi-space-size=${LARGEST_HALF}`);
setFlagsFromString('--semi-space-growth-factor=1');
