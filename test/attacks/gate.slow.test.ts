import { GATE_HEADS } from './heads/gate-heads.ts';
import { testAttacks } from './run-attack.ts';

testAttacks(GATE_HEADS);
