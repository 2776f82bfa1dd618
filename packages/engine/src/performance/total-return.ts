import { type Figure, finiteOr } from './figure.ts'

export const totalReturn = (startValue: number, endValue: number): Figure =>
  finiteOr(endValue / startValue - 1, 'there was no value at the start')
