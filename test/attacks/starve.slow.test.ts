import { fileURLToPath } from 'node:url';
import { enterOwnNetwork } from '../support/own-network.ts';
import { STARVE_HEADS } from './heads/starve-heads.ts';
import { testAttacks } from './run-attack.ts';

// Who takes all ports is not to take those of the tests beside this one.
testAttacks(STARVE_HEADS, enterOwnNetwork(fileURLToPath(import.meta.url)));
