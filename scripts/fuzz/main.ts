// `npm run fuzz [-- --requests 200000 --seed 1 --minutes 60]`: every call of the contract with valid, nearly valid and
// hostile input of two users whose ids are mixed, against a program of its own. Ends by itself; 1 when it found a fault.
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { contractCalls } from '../../apps/server/test-support/fuzz/contract-calls.ts'
import { type Finding, FuzzSession } from '../../apps/server/test-support/fuzz/fuzz-session.ts'
import { startStandIns } from '../../apps/server/test-support/fuzz/stand-ins.ts'
import { httpSend } from './http-send.ts'
import { memoryReport, type MemorySample } from './memory.ts'
import { type FuzzedProgram, startFuzzedProgram } from './program.ts'

const CONNECTIONS = 6
const SAMPLE_INTERVAL_MS = 2_000
const MAX_FINDINGS = 20

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000) % 1_000_000) },
    minutes: { type: 'string', default: '60' },
  },
})
const [requests, seed, minutes] = [Number(values.requests), Number(values.seed), Number(values.minutes)]

const standIns = await startStandIns()
let program: FuzzedProgram | undefined
try {
  program = await startFuzzedProgram(standIns.environment)
  process.exitCode = (await fuzz(program)) ? 0 : 1
} finally {
  await program?.stop()
  await standIns.close()
}

/** Sends calls, and answers whether nothing was found. */
async function fuzz(running: FuzzedProgram): Promise<boolean> {
  const calls = await contractCalls()
  console.log(`${requests} requests to ${calls.length} calls with --seed ${seed}, at most ${minutes} minutes`)
  const { send, close } = httpSend(running.url, CONNECTIONS)
  const session = await FuzzSession.open({ send, calls, seed, customApi: standIns.customApi })
  const findings: Finding[] = []
  const samples: MemorySample[] = []
  const begun = performance.now()
  const deadline = begun + minutes * 60_000
  let next = 0
  const sampling = setInterval(() => {
    const megabytes = running.memoryMb()
    if (megabytes !== undefined) samples.push({ requests: next, megabytes })
  }, SAMPLE_INTERVAL_MS)
  const work = async () => {
    while (next < requests && performance.now() < deadline && findings.length < MAX_FINDINGS) {
      const finding = await session.run(next++)
      if (finding && !findings.some((known) => isAlike(known, finding))) findings.push(finding)
      if (next % 10_000 === 0) console.log(`${next} requests, ${findings.length} findings`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  clearInterval(sampling)
  const seconds = (performance.now() - begun) / 1000
  const isSameProcess = running.memoryMb() !== undefined
  await report(session, findings)
  close()
  const memory = memoryReport(samples)
  const load = `load average ${loadavg()[1]!.toFixed(1)} on ${availableParallelism()} cores`
  console.log(`${next} requests in ${seconds.toFixed(0)} s (${(next / seconds).toFixed(0)}/s), ${load}`)
  console.log(`Answers: ${statusLine(session)}`)
  if (memory) {
    const { warmMb, lastMb, peakMb, mbPer10000, isGrowing } = memory
    const figures = `${warmMb.toFixed(0)} MB warm, ${lastMb.toFixed(0)} MB at the end, ${peakMb.toFixed(0)} MB peak`
    console.log(`Memory: ${figures}, ${mbPer10000.toFixed(1)} MB per 10,000 requests${isGrowing ? ': GROWING' : ''}`)
  }
  for (const [refusal, count] of running.refusals) console.log(`Refused by the database ${count} times: ${refusal}`)
  for (const complaint of running.complaints.slice(0, MAX_FINDINGS)) console.log(`Log: ${complaint}`)
  if (!isSameProcess) console.log('The server process ended.')
  const isClean = findings.length === 0 && running.complaints.length === 0 && isSameProcess && !memory?.isGrowing
  console.log(
    isClean ? 'No fault found.' : `Faults found; repeat with: npm run fuzz -- --seed ${seed} --requests ${next}`,
  )
  return isClean
}

function isAlike(a: Finding, b: Finding): boolean {
  return a.planned.call === b.planned.call && a.fault.kind === b.fault.kind
}

async function report(session: FuzzSession, findings: readonly Finding[]): Promise<void> {
  for (const finding of findings) {
    // A request that was slow once is seldom slow again.
    const { request, fault, planned } = finding.fault.kind === 'slow' ? finding : await session.shrink(finding)
    console.log(`\n${fault.kind} at request ${planned.index} as ${planned.caller}: ${fault.detail}`)
    console.log(`  first as: ${JSON.stringify(finding.request).slice(0, 1500)}`)
    console.log(`  smallest: ${JSON.stringify(request).slice(0, 1500)}`)
  }
}

function statusLine({ statuses }: FuzzSession): string {
  return [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
