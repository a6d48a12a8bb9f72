/** Keeps the young generation of this process small: what a measurement holds is little, and what it drops soon was most of its memory. */
import { setFlagsFromString } from 'node:v8';

/** In MiB. V8's own limit is 16, for each of two halves, and it keeps what it once took. */
const LARGEST_HALF = 1;

// Both are read when V8 would let it grow (https://nodejs.org/api/v8.html#v8setflagsfromstringflags).
setFlagsFromString(`--max-semi-space-size=${LARGEST_HALF}`);
setFlagsFromString('--semi-space-growth-factor=1');
