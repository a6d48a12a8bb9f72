import { validatorOf } from '../../formats/validator-of.ts';
import { CONFIG_SCHEMA } from './config-schema.ts';

/** Checks a config against its schema. */
export const validate = validatorOf<object>(CONFIG_SCHEMA, 'config');
