import { REACH_HEADS } from './heads/reach-heads.ts';
import { testAttacks } from './run-attack.ts';

testAttacks(REACH_HEADS, { shares: ({ ending }) => ending === 'honest' });
