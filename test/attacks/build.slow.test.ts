import { BUILD_HEADS } from './heads/build-heads.ts';
import { testAttacks } from './run-attack.ts';

testAttacks(BUILD_HEADS);
