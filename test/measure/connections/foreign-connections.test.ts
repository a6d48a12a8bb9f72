import { testAttack, testInnocent } from './foreign-connections.ts';

testAttack('flood');
testAttack('flood-and-reset');
testInnocent('');
testInnocent('close');
