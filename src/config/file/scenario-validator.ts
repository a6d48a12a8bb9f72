import { validatorOf } from '../../formats/validator-of.ts';
import { schemaOf } from '../../types/schema.ts';
import { SCENARIO_SCHEMA } from './config-schema.ts';

/** Whether a value is a built-in scenario, as far as a schema can say. */
export const validate = validatorOf(schemaOf<object>(SCENARIO_SCHEMA), 'config');
