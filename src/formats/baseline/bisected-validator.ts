import type { Bisected } from '../../types/trend.ts';
import { validatorOf } from '../validator-of.ts';
import { BISECTED_SCHEMA } from './bisected-schema.ts';

/** Whether a value has the shape of what a bisect hands on. */
export const validate = validatorOf<Bisected>(BISECTED_SCHEMA);
