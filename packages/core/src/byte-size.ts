const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** `1.5 GB`, by 1024 as the operator's settings are. */
export function byteSize(bytes: number): string {
  let [amount, unit] = [Math.max(0, bytes), 0]
  while (amount >= 1024 && unit < UNITS.length - 1) [amount, unit] = [amount / 1024, unit + 1]
  return `${unit === 0 ? amount : Number(amount.toFixed(amount < 10 ? 2 : 1))} ${UNITS[unit]}`
}
