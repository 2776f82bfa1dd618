import { Problem } from './problem.ts'
import { type EpochDay, parseDate } from './time.ts'

/** The text of a field, or undefined where it is absent or blank. */
export const given = (text: string | undefined): string | undefined => text?.trim() || undefined

export const invalidField = (sentence: string) => new Problem('invalid', 'backtest.form', sentence)

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
/** Longer than any number that a person or a program writes. */
const MAX_NUMBER_LENGTH = 400

/** `what` is how the form calls the field, at the beginning of a sentence. */
export function numberField(what: string, text: string | undefined): number | undefined {
  const number = given(text)
  if (number === undefined) return undefined
  const value = number.length <= MAX_NUMBER_LENGTH && DECIMAL.test(number) ? Number(number) : Number.NaN
  if (!Number.isFinite(value)) throw invalidField(`${what} must be a number, was "${shortened(number)}".`)
  return value
}

export function wholeField(what: string, text: string | undefined): number | undefined {
  const value = numberField(what, text)
  if (value !== undefined && !Number.isSafeInteger(value)) {
    throw invalidField(`${what} must be a whole number, was ${value}.`)
  }
  return value
}

const FLAGS = new Map([
  ...['true', 'on', '1', 'yes'].map((word) => [word, true] as const),
  ...['false', 'off', '0', 'no'].map((word) => [word, false] as const),
])

export function flagField(what: string, text: string | undefined): boolean | undefined {
  const word = given(text)
  if (word === undefined) return undefined
  const flag = FLAGS.get(word.toLowerCase())
  if (flag === undefined) throw invalidField(`${what} must be true or false, was "${shortened(word)}".`)
  return flag
}

/** One of the choices, whatever its letter case. */
export function choiceField<Choice extends string>(
  what: string,
  choices: readonly Choice[],
  text: string | undefined,
): Choice | undefined {
  const word = given(text)
  if (word === undefined) return undefined
  const choice = choices.find((one) => one.toLowerCase() === word.toLowerCase())
  if (choice === undefined) {
    throw invalidField(`${what} must be one of ${choices.join(', ')}, was "${shortened(word)}".`)
  }
  return choice
}

export function dateField(what: string, text: string | undefined): EpochDay {
  const date = given(text)
  if (date === undefined) throw invalidField(`${what} is missing.`)
  const day = parseDate(date)
  if (day === undefined) throw invalidField(`${what} must be a date like 2024-12-31, was "${shortened(date)}".`)
  return day
}

/** As much of a text as a sentence has room for. */
export const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
