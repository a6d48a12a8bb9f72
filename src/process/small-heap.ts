/** Limits V8's garbage, which made up most of the memory. */
import { setFlagsFromString } from 'node:v8';

/** MiB per semi-space. V8's default limit is 16 for each of the two, and V8 keeps memory that it once took. */
const LARGEST_HALF = 1;
/** Percent of live objects. By default a small heap more than doubles between collections. */
const LARGEST_GROWTH = 10;

// V8 reads these flags when a generation would grow (https://nodejs.org/api/v8.html#v8setflagsfromstringflags).
setFlagsFromString(`--max-semi-space-size=${LARGEST_HALF}`);
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString(`--heap-growing-percent=${LARGEST_GROWTH}`);
// Otherwise new objects fill any number of semi-spaces while V8 marks old ones.
setFlagsFromString('--no-separate-gc-phases');
