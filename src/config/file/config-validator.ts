import { validatorOf } from '../../formats/validator-of.ts';
import { CONFIG_SCHEMA } from './config-schema.ts';

/** Whether a value is a config, as far as a schema can say. */
export const validate = validatorOf<object>(CONFIG_SCHEMA, 'config');
