import { BISECTED_SCHEMA } from '../../types/trend.ts';
import { validatorOf } from '../validator-of.ts';

/** Whether a value has the shape of what a bisect hands on. */
export const validate = validatorOf(BISECTED_SCHEMA);
