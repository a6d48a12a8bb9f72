import type { ShardPlan } from '../../types/shards.ts';
import { validatorOf } from '../validator-of.ts';
import { PLAN_SCHEMA } from './plan-schema.ts';

/** Whether a value has the shape of a plan. */
export const validate = validatorOf<ShardPlan>(PLAN_SCHEMA);
