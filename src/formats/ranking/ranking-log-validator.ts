import { LOG_SCHEMA } from '../../types/ranking/ranking.ts';
import { validatorOf } from '../validator-of.ts';

/** Whether a value has the shape of a line of the log of a ranking. */
export const validate = validatorOf(LOG_SCHEMA);
