// The program `tradewright`: scripts/tradewright.mjs starts it.
import { EXIT } from './failure.ts'
import { runCli } from './run-cli.ts'

const interruption = new AbortController()
process.on('SIGINT', () => {
  // A second Ctrl-C does not wait for the server.
  if (interruption.signal.aborted) process.exit(EXIT.interrupted)
  interruption.abort()
})
process.on('SIGTERM', () => interruption.abort())
// A reader that ends early, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok)
  throw error
})

const { env, stdin, stdout, stderr } = process
process.exitCode = await runCli(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  interrupted: interruption.signal,
})
// Standard input may still be open.
stdin.unref?.()
