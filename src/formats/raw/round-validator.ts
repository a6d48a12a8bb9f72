import type { Round } from '../../types/round.ts';
import { validatorOf } from '../validator-of.ts';
import { RAW_SCHEMA } from './raw-schema.ts';

/** Whether a value has the shape of one round of raw data. */
export const validate = validatorOf<Round>({
	...(RAW_SCHEMA.properties?.rounds?.items as object),
	$defs: RAW_SCHEMA.$defs,
});
