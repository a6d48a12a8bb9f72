import { PLAN_SCHEMA } from '../types/shards.ts';
import { validatorOf } from './validator-of.ts';

/** Whether a value has the shape of a plan. */
export const validate = validatorOf(PLAN_SCHEMA);
