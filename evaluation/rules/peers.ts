import { autocannonCompare } from './autocannon-compare.ts';
import { benchstat } from './benchstat.ts';
import { nodeCompare } from './node-compare.ts';
import { oneRun } from './one-run.ts';
import type { PeerRule } from './rule.ts';
import { storedRun } from './stored-run.ts';
import { tachometer } from './tachometer.ts';
import { untilGreen } from './until-green.ts';
import { untilSignificant } from './until-significant.ts';
import { welchWindows } from './welch-windows.ts';

/** Rules of other tools and habits that benchgate is compared with, from the cheapest to the most expensive. */
export const PEERS: readonly PeerRule[] = [
	storedRun(2),
	storedRun(1.1),
	oneRun,
	untilGreen,
	welchWindows,
	autocannonCompare,
	benchstat('blocks'),
	benchstat('interleaved'),
	untilSignificant,
	nodeCompare,
	tachometer,
];
