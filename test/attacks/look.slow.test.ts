import { LOOK_HEADS } from './heads/look-heads.ts';
import { testAttacks } from './run-attack.ts';

testAttacks(LOOK_HEADS);
