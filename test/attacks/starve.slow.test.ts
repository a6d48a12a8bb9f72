import { fileURLToPath } from 'node:url';
import { enterOwnNetwork } from '../support/own-network.ts';
import { STARVE_HEADS } from './heads/starve-heads.ts';
import { testAttacks } from './run-attack.ts';

// Taking all ports must not affect concurrent tests.
testAttacks(STARVE_HEADS, { whyNot: enterOwnNetwork(fileURLToPath(import.meta.url)) });
