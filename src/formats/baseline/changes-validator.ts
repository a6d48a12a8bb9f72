import type { ChangeNotes } from '../../types/trend.ts';
import { validatorOf } from '../validator-of.ts';
import { CHANGES_SCHEMA } from './changes-schema.ts';

/** Whether a value has the shape of notes on changes. */
export const validate = validatorOf<ChangeNotes>(CHANGES_SCHEMA);
