/** Campaigns on noise take the stated seeds, from 1 on; FIRST_SEED takes others, to see that the stated ones were not lucky. */
export const firstSeed = Number(process.env['FIRST_SEED'] ?? 1)

/** Prints a share for the reader of a campaign, who writes it into docs/method.md. */
export function tellShare(line: string): void {
  process.stdout.write(`seeds from ${firstSeed}: ${line}\n`)
}
