import { PLAN_SCHEMA } from '../types/shards.ts';
import { validatorOf } from './validator-of.ts';

export const validate = validatorOf(PLAN_SCHEMA);
