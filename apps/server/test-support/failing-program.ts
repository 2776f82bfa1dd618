import { processHealth } from '../src/process-health.ts'
import { runProgram } from '../src/program.ts'

/** A program that starts and then has the fault that its first argument names. */
const [, , fault] = process.argv
await runProgram(() => {
  // A server that listens keeps the process alive.
  setInterval(() => {}, 1_000)
  setImmediate(() => {
    if (fault === 'exception') throw new Error('thrown outside of any promise')
    void Promise.reject(new Error('rejected without a handler'))
    setImmediate(() => {
      process.stdout.write(`goes on after ${processHealth.unhandledRejections.count} unhandled rejection\n`)
      process.kill(process.pid, 'SIGTERM')
    })
  })
  const close = () => {
    process.stdout.write('closed in order\n')
    return Promise.resolve()
  }
  return Promise.resolve({ close })
})
