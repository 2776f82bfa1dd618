import { RecordFile } from '@tradewright/contract/forward-records'
import { PASSPORT_MAX_BYTES, verifyPassport } from '@tradewright/contract/passports'
import { RECORD_FORMAT, RECORD_PROVES, verifyRecord } from '@tradewright/core/forward-record'
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Command } from '../command.ts'
import { EXIT, usage } from '../failure.ts'
import { uploadOf } from '../files.ts'
import { plain } from '../output.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'Check a result passport or a forward record: identical, or the first value or entry that differs.',
  args: [{ name: 'FILE', isFile: true }],
  options: {},
  details: [
    'A passport is run again by the server. The chain of a forward record is computed here, without a server.',
    'Exit code 0: identical to the last bit, or a whole chain. 1: it is not, and the first value or entry is named.',
  ],
  examples: [
    'tradewright verify passport.json',
    'tradewright verify record.json',
    'tradewright verify passport.json --json | jq .identical',
  ],
  async run({ args, out, client, interrupted }) {
    const file = args[0]!
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size > PASSPORT_MAX_BYTES)
      throw usage(`${file} is too large: at most ${PASSPORT_MAX_BYTES / 1024 ** 2} MB are allowed.`)
    const record = recordIn(file)
    if (record !== undefined) {
      const parsed = RecordFile.safeParse(record)
      if (!parsed.success) throw usage(`${file} is not a forward record that this version can read.`)
      const verdict = verifyRecord(parsed.data, (text) => createHash('sha256').update(text).digest('hex'))
      const { isWhole: is_whole, firstBad: first_bad, sentence, entries, head } = verdict
      out.result({ is_whole, entries, head, first_bad, verdict: sentence }, () => [
        out.paint(is_whole ? 'green' : 'red', sentence),
        `  head ${head}`,
        `  ${RECORD_PROVES}`,
      ])
      return is_whole ? EXIT.ok : EXIT.negative
    }
    const form = uploadOf(file)
    out.progress(null, 'Running it again')
    const answer = await client().call(verifyPassport, { form, signal: interrupted })
    out.result(answer, () => [
      out.paint(answer.identical ? 'green' : 'red', plain(answer.verdict)),
      ...answer.differences.map((line) => `  ${plain(line)}`),
      ...answer.data_differences.map((line) => `  ${plain(line)}`),
      ...answer.notes.map((note) => out.paint('yellow', `! ${plain(note)}`)),
    ])
    return answer.identical ? EXIT.ok : EXIT.negative
  },
}

/** Undefined for any other file. */
function recordIn(file: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const isRecord = typeof value === 'object' && value !== null && 'format' in value && value.format === RECORD_FORMAT
    return isRecord ? value : undefined
  } catch {
    return undefined
  }
}
