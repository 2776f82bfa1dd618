import { PASSPORT_MAX_BYTES, verifyPassport } from '@tradewright/contract/passports'
import { statSync } from 'node:fs'
import type { Command } from '../command.ts'
import { EXIT, usage } from '../failure.ts'
import { uploadOf } from '../files.ts'
import { plain } from '../output.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'Run a result passport again: identical to the last bit, or the first value that differs.',
  args: [{ name: 'PASSPORT', isFile: true }],
  options: {},
  details: ['Exit code 0: identical to the last bit. 1: it is not, and the first value that differs is named.'],
  examples: ['tradewright verify passport.json', 'tradewright verify passport.json --json | jq .identical'],
  async run({ args, out, client, interrupted }) {
    const file = args[0]!
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size > PASSPORT_MAX_BYTES)
      throw usage(`${file} is too large: a passport has at most ${PASSPORT_MAX_BYTES / 1024 ** 2} MB.`)
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
