import { validatorOf } from '../../formats/validator-of.ts';
import { schemaOf } from '../../types/schema.ts';
import { SCENARIO_SCHEMA } from './config-schema.ts';

export const validate = validatorOf(schemaOf<object>(SCENARIO_SCHEMA), 'config');
