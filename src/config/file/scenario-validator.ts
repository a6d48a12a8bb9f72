import { validatorOf } from '../../formats/validator-of.ts';
import { SCENARIO_SCHEMA } from './config-schema.ts';

/** Checks a built-in scenario against its schema. */
export const validate = validatorOf<object>(SCENARIO_SCHEMA, 'config');
