import { OUTPUT_HEADS } from './heads/output-heads.ts';
import { testAttacks } from './run-attack.ts';

testAttacks(OUTPUT_HEADS);
