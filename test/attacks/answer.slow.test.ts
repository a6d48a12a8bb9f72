import { ANSWER_HEADS } from './heads/answer-heads.ts';
import { testAttacks } from './run-attack.ts';

testAttacks(ANSWER_HEADS, { shares: () => true });
