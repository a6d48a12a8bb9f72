import { CHANGES_SCHEMA } from '../../types/trend.ts';
import { validatorOf } from '../validator-of.ts';

/** Whether a value has the shape of notes on changes. */
export const validate = validatorOf(CHANGES_SCHEMA);
