import { WORK_HEADS } from './heads/work-heads.ts';
import { testAttacks } from './run-attack.ts';

testAttacks(WORK_HEADS);
