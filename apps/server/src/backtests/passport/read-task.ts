import { Problem } from '@tradewright/core/problem'
import { readFileSync } from 'node:fs'

/** A compute task: the JSON of an uploaded passport, whose form is checked afterwards. */
export function run({ path }: { readonly path: string }): unknown {
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text) as unknown
  } catch {
    const isPart = text.trimStart().startsWith('{')
    const sentence = isPart
      ? 'This passport is incomplete or damaged: its JSON ends too early or cannot be read. Get the file again.'
      : 'This file is no passport: a passport is a JSON file that Tradewright wrote.'
    throw new Problem('invalid', 'passport.unreadable', sentence)
  }
}
