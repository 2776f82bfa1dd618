// Runs a program and starts it again when it ends unasked: killed, out of memory, or by a bug. What was told over the IPC
// channel (apps/server/src/program.ts) decides: only a program that was ready once is started again, and never one whose
// settings are wrong. Runs on whatever Node.js the machine has.
import { spawn } from 'node:child_process'

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000
/** A program that ran this long is healthy: its next end is treated as the first. */
const HEALTHY_AFTER_MS = 60_000
/** A program closes within 10 s by itself, or says when; one that hangs in its own exit, in native code, never would. */
const END_WITHIN_MS = 20_000
/** Beyond the time that a program asks for. */
const SPARE_MS = 10_000
/** Signals by which an operator stops the program, not the launcher. */
const ORDERED = new Set(['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * @param {object} program
 * @param {string} program.command
 * @param {string[]} program.args
 * @param {NodeJS.ProcessEnv} program.env
 * @param {number} [program.maxDelayMs] for tests that end programs many times
 * @param {number} [program.endWithinMs] until a program that closes is killed
 * @returns {Promise<number>} the exit code of the launcher
 */
export function supervise({ command, args, env, maxDelayMs = MAX_DELAY_MS, endWithinMs = END_WITHIN_MS }) {
  let child
  let timer
  let endTimer
  let port
  let restarts = 0
  let attempt = 0
  let wasReady = false
  let isStopping = false
  const { promise, resolve } = deferred()

  function start(lastEnd) {
    let isMisconfigured = false
    let readyAt
    child = spawn(command, args, {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: {
        ...env,
        TRADEWRIGHT_LAUNCHED: '1',
        ...(restarts > 0 && { TRADEWRIGHT_RESTARTS: String(restarts), ...lastEnd }),
        // PORT=0 chose a port at the first start; browsers and bookmarks know that one.
        ...(restarts > 0 && port !== undefined && { PORT: String(port) }),
      },
    })
    child.on('message', (message) => {
      if (message?.is === 'misconfigured') isMisconfigured = true
      if (message?.is === 'closing') endSoon(child, message.withinMs)
      if (message?.is !== 'ready') return
      wasReady = true
      readyAt = performance.now()
      port = message.port ?? port
    })
    child.on('error', (error) => {
      console.error(`Could not start Node.js at ${command}: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code, signal) => {
      const isOrdered = isStopping || code === 0 || ORDERED.has(signal)
      if (isOrdered || !wasReady || isMisconfigured) {
        resolve(signal ? 128 + 15 : (code ?? 1))
        return
      }
      if (readyAt !== undefined && performance.now() - readyAt > HEALTHY_AFTER_MS) attempt = 0
      again(signal ? `killed by ${signal}` : `exit code ${code}`)
    })
  }

  function again(reason) {
    const delay = Math.min(maxDelayMs, FIRST_DELAY_MS * 2 ** attempt++)
    restarts++
    const words = `Tradewright ended unexpectedly (${reason}). Starting it again in ${delay / 1000} s; restart ${restarts}.`
    console.error(`${new Date().toISOString()} ${words}`)
    const lastEnd = { TRADEWRIGHT_LAST_END: reason, TRADEWRIGHT_LAST_END_AT: new Date().toISOString() }
    timer = setTimeout(() => start(lastEnd), delay)
  }

  /** Signal 0 sends nothing: it only asks whether the process is there. */
  function stop(signal) {
    isStopping = true
    clearTimeout(timer)
    const isRunning = child.exitCode === null && child.signalCode === null
    if (!isRunning) {
      resolve(0)
      return
    }
    child.kill(signal)
    if (signal !== 0) endSoon(child)
  }

  /** Requests under way are answered first, for as long as the settings of the program allow. */
  function endSoon(closing, askedMs) {
    clearTimeout(endTimer)
    endTimer = setTimeout(
      () => closing.kill('SIGKILL'),
      Math.max(endWithinMs, (askedMs ?? -SPARE_MS) + SPARE_MS),
    ).unref()
  }

  // Ctrl-C reaches the whole process group: the program stops by itself, we only wait for it.
  process.on('SIGINT', () => stop(0))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop('SIGTERM')
  }, 500).unref()

  start()
  return promise
}

function deferred() {
  let resolve
  const promise = new Promise((settle) => (resolve = settle))
  return { promise, resolve }
}
