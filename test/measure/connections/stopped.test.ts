/** A head that stops or kills processes of the run while it is measured: never green, whoever it was. */
import { testStopped } from './foreign-connections.ts';

testStopped('harm-rival', 'the base server');
