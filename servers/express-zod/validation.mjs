/** Validates bodies with Zod. */
import * as z from 'zod';
import { zodForExpress } from '../shared/zod-validation.mjs';

export const { bookingSchema, nameSchema, profileSchema, userSchema, compile } = zodForExpress(z);
