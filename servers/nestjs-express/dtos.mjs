/** Classes of bodies, for class-validator. */
import './decorate.mjs';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { classDtos } from '../shared/class-dtos.mjs';

export const { BookingDto, NameDto, ProfileDto, UserDto } = classDtos(validator, transformer);
