/** Writes its number at the next place of a shared log, so that a test sees the order in which tasks began. */
export function run({ number, log }: { number: number; log: Int32Array }): void {
  const place = Atomics.add(log, 0, 1) + 1
  Atomics.store(log, place, number)
}
