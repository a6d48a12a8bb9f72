import { validatorOf } from '../validator-of.ts';
import { LINE_SCHEMA } from './measure-log-schema.ts';

/** Whether a value has the shape of a line of the log of a ranking. */
export const validate = validatorOf<object>(LINE_SCHEMA);
