/** Decimal places kept: brokers count fractional shares and coins in billionths. */
const PLACES = 9
const ONE = 10n ** BigInt(PLACES)
const TEXT = /^([+-]?)(\d+)(?:\.(\d*))?$/

/**
 * An exact number of billionths. Sums are exact in any order, and what cannot be exact (a product, a quotient) is
 * rounded once, to the nearest billionth, halves to even. There is no precision to configure and none to lose.
 */
export class Decimal {
  readonly billionths: bigint

  constructor(billionths: bigint) {
    this.billionths = billionths
  }

  static readonly zero = new Decimal(0n)

  /** Reads "-12.5"; digits beyond the ninth place are rounded. Throws a RangeError for anything else. */
  static parse(text: string): Decimal {
    const match = TEXT.exec(text)
    if (!match) throw new RangeError(`"${text}" is not a decimal number`)
    const [, sign, whole = '0', fraction = ''] = match
    const digits = BigInt(whole + fraction.padEnd(PLACES, '0'))
    const extra = Math.max(0, fraction.length - PLACES)
    const billionths = divideRounded(digits, 10n ** BigInt(extra))
    return new Decimal(sign === '-' ? -billionths : billionths)
  }

  /** From a float, by its shortest decimal writing: 0.1 becomes 0.1. Floats never come back into a ledger unrounded. */
  static fromNumber(value: number): Decimal {
    if (!Number.isFinite(value)) throw new RangeError(`${value} is not an amount`)
    const text = value.toString()
    return Decimal.parse(text.includes('e') ? value.toFixed(PLACES) : text)
  }

  plus(other: Decimal): Decimal {
    return new Decimal(this.billionths + other.billionths)
  }

  minus(other: Decimal): Decimal {
    return new Decimal(this.billionths - other.billionths)
  }

  times(other: Decimal): Decimal {
    return new Decimal(divideRounded(this.billionths * other.billionths, ONE))
  }

  dividedBy(other: Decimal): Decimal {
    if (other.billionths === 0n) throw new RangeError('an amount cannot be divided by zero')
    return new Decimal(divideRounded(this.billionths * ONE, other.billionths))
  }

  negated(): Decimal {
    return new Decimal(-this.billionths)
  }

  absolute(): Decimal {
    return this.billionths < 0n ? this.negated() : this
  }

  /** Rounds to so many decimal places, halves to even. */
  rounded(places: number): Decimal {
    const step = 10n ** BigInt(PLACES - places)
    return new Decimal(divideRounded(this.billionths, step) * step)
  }

  /** Negative, zero or positive, for sorting. */
  compare(other: Decimal): number {
    if (this.billionths === other.billionths) return 0
    return this.billionths < other.billionths ? -1 : 1
  }

  equals(other: Decimal): boolean {
    return this.billionths === other.billionths
  }

  isBelow(other: Decimal): boolean {
    return this.billionths < other.billionths
  }

  get isZero(): boolean {
    return this.billionths === 0n
  }

  get isNegative(): boolean {
    return this.billionths < 0n
  }

  get isPositive(): boolean {
    return this.billionths > 0n
  }

  /** For charts and statistics, never for another amount. */
  toNumber(): number {
    return Number(this.toString())
  }

  /** As short as it can be: "12.5", "-0.000000001", "7". */
  toString(): string {
    const digits = this.absolute()
      .billionths.toString()
      .padStart(PLACES + 1, '0')
    const fraction = digits.slice(-PLACES).replace(/0+$/, '')
    const whole = digits.slice(0, -PLACES)
    return `${this.isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
  }

  /** Decimals travel as text. */
  toJSON(): string {
    return this.toString()
  }
}

function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const twice = 2n * magnitude(dividend % divisor)
  const limit = magnitude(divisor)
  const roundsAway = twice > limit || (twice === limit && quotient % 2n !== 0n)
  if (!roundsAway) return quotient
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)
