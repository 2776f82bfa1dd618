/** Violations, each kind with its first examples; and counts of what was done meanwhile. */
export class Findings {
  readonly #violations = new Map<string, string[]>()
  readonly #counts = new Map<string, number>()

  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by)
  }

  violation(kind: string, example: string): void {
    const known = this.#violations.get(kind) ?? []
    this.#violations.set(kind, [...known, example])
    if (known.length < 5) console.log(`VIOLATION ${kind}: ${example}`)
  }

  get isClean(): boolean {
    return this.#violations.size === 0
  }

  report(): string {
    const counts = [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, number]) => `  ${what}: ${Math.round(number * 10) / 10}`)
    const violations = [...this.#violations].map(([kind, all]) => `  ${kind}: ${all.length}, for example ${all[0]}`)
    return ['Counted:', ...counts, this.isClean ? 'Violations: none' : 'Violations:', ...violations].join('\n')
  }
}
