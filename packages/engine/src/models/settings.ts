import { Problem } from '@tradewright/core/problem'

export function checkWhole(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > 2 ** 30) {
    throw settingsProblem(`${name} must be a whole number of at least ${least}, was ${value}.`)
  }
}

/** Within [least, most]; NaN is within nothing. */
export function checkBetween(name: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) {
    throw settingsProblem(`${name} must be between ${least} and ${most}, was ${value}.`)
  }
}

function settingsProblem(sentence: string): Problem {
  return new Problem('invalid', 'model.settings', sentence)
}
