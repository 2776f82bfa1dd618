import * as contract from '@tradewright/contract/passports'
import { plainLine } from '@tradewright/core/plain-line'
import { Problem } from '@tradewright/core/problem'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Passport } from '../../backtests/passport/passport.ts'
import { brokenSentences } from '../../backtests/passport/compare-passport.ts'
import { handOver, type ReadPassport } from '../../backtests/passport/read-passport.ts'
import { brokenParts, sealOf } from '../../backtests/passport/seal.ts'
import { excessOfJson } from '../../excessive-json.ts'
import { sentenceFor } from '../input/sentence.ts'

/** The part of a thread's context that is used here. */
interface Handover {
  readonly transfer: (buffer: ArrayBuffer) => void
}

/** A compute task: reads an uploaded passport and checks its form. 32 MB of JSON would hold up the thread of requests. */
export function run({ path }: { readonly path: string }, { transfer }: Handover): ReadPassport {
  const read = readPassport(parse(readFileSync(path)))
  transfer(read.bytes.buffer)
  return read
}

export function readPassport(json: unknown): ReadPassport {
  const envelope = Envelope.safeParse(json)
  if (!envelope.success) throw refused('format', 'This file is not a passport: it was not written by Tradewright.')
  const { version, seal } = envelope.data
  if (version !== contract.PASSPORT_VERSION) {
    const remedy = version > contract.PASSPORT_VERSION ? 'Update Tradewright to verify it' : 'Make the passport again'
    const sentence = `This passport has version ${version}, and this program reads version ${contract.PASSPORT_VERSION}. ${remedy}.`
    throw refused('version', sentence)
  }
  const broken = seal ? brokenParts(json as object, seal) : []
  try {
    const passport = toDomain(json)
    // Refused here already: a tree of rules with a hundred thousand blocks is not handed on.
    planBacktest(passport.request)
    return handOver(passport, broken)
  } catch (error) {
    if (broken.length === 0 || !(error instanceof Problem)) throw error
    throw refused('changed', [...brokenSentences(broken), error.message].join(' '))
  }
}

/** Ten times those of a run with 500 tickers. */
const MAX_VALUES = 500_000
const MAX_DEPTH = 100

function parse(file: Buffer): unknown {
  if (excessOfJson(file, { values: MAX_VALUES, depth: MAX_DEPTH })) {
    const sentence = 'This passport is damaged: it has more values than a passport can have, or nests them too deeply.'
    throw refused('content', sentence)
  }
  const text = file.toString()
  try {
    return JSON.parse(text) as unknown
  } catch {
    const isPart = text.trimStart().startsWith('{')
    const sentence = isPart
      ? 'This passport is incomplete or damaged: its JSON ends too early or cannot be read. Get the file again.'
      : 'This file is not a passport: a passport is a JSON file that Tradewright wrote.'
    throw refused('unreadable', sentence)
  }
}

const Envelope = z.object({
  format: z.literal(contract.PASSPORT_FORMAT),
  version: z.number(),
  /** One that cannot be read is damage like any other. */
  seal: contract.Passport.shape.seal.optional().catch(undefined),
})

/**
 * A setting that the schema does not know would be left out of the file, and the run repeated without it: this does not
 * compile then.
 */
type UnknownSetting = Exclude<keyof BacktestRequest, keyof contract.Passport['request']>
type CompleteRequest = [UnknownSetting] extends [never] ? contract.Passport['request'] : UnknownSetting

function toDomain(json: unknown): Passport {
  const parsed = contract.Passport.safeParse(json)
  if (!parsed.success) throw refused('content', `This passport is damaged: ${sentenceFor(parsed.error)}`)
  const [unknown] = brokenParts(json as object, sealOf(parsed.data))
  if (unknown !== undefined) {
    throw refused('content', `This passport is damaged: it has ${plainLine(unknown, 100)}, which no passport has.`)
  }
  const { request, model, series, result, account } = parsed.data
  return {
    // Names and types were checked by the schema, and `planBacktest` checks what they mean.
    request: request satisfies CompleteRequest as BacktestRequest,
    model: (model ?? undefined) as ModelChoice | undefined,
    series: series.map(seriesToDomain),
    result,
    account: account ?? undefined,
  }
}

function seriesToDomain({ data, ...digest }: contract.Passport['series'][number]): Passport['series'][number] {
  const known = digest as Omit<Passport['series'][number], 'data'>
  if (!data) return known
  return { ...known, data: { parquet: data.parquet, hasKnownAt: data.has_known_at, actions: data.actions } }
}

const refused = (code: string, sentence: string): Problem => new Problem('invalid', `passport.${code}`, sentence)
