import { validatorOf } from '../../formats/validator-of.ts';
import { schemaOf } from '../../types/schema.ts';
import { CONFIG_SCHEMA } from './config-schema.ts';

export const validate = validatorOf(schemaOf<object>(CONFIG_SCHEMA), 'config');
