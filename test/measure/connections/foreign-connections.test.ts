import { testAttack, testInnocent } from './foreign-connections.ts';

testAttack('flood');
testInnocent('');
