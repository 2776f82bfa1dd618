import { StartupFailure } from '../startup-failure.ts'

/** Runs a command of the operator and prints what it answers. A failure the operator can act on is one line. */
export async function runCommand(command: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await command()}\n`)
  } catch (error) {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${error instanceof StartupFailure ? error.message : trace}\n`)
    process.exitCode = 1
  }
}
