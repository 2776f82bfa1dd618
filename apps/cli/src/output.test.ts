import { expect, it } from 'vitest'
import { jsonLine, Output, plain, table } from './output.ts'

const HOSTILE = 'a\u001b[31mb\u0007\u202ec\u009bd\u2028e\u{e0041}'

function written(settings: { isTTY: boolean; env?: Record<string, string>; json?: boolean }) {
  const texts: string[] = []
  const stream = { write: (text: string) => texts.push(text), isTTY: settings.isTTY, columns: 60 }
  const out = new Output({ stdout: stream, stderr: stream, env: settings.env ?? {}, json: settings.json ?? false })
  out.progress(0.5, `Window ${HOSTILE} ${'long '.repeat(40)}`)
  out.result({ name: HOSTILE }, () => [out.paint('red', 'No')])
  out.note(HOSTILE)
  return texts.join('')
}

it('colours and draws a bar on a terminal alone', () => {
  expect(written({ isTTY: true })).toContain('\u001b[31mNo\u001b[0m')
  expect(written({ isTTY: true })).toContain('[############............]  50% Window')
  expect(written({ isTTY: true, env: { NO_COLOR: '1' } })).not.toContain('\u001b[31m')
  expect(written({ isTTY: true, env: { TERM: 'dumb' } })).not.toContain('\u001b')
  expect(written({ isTTY: false })).toBe('No\nab  c e  \n'.replace('ab  c e  ', plain(HOSTILE)))
})

it('keeps a bar within one line', () => {
  const bar = written({ isTTY: true })
    .split('\u001b[K')
    .find((part) => part.startsWith('['))
  expect(bar!.replace('\r', '').length).toBeLessThan(60)
})

it('lets no text steer the terminal, as text or as JSON', () => {
  expect(plain(HOSTILE)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  expect(table([{ title: 'Name' }], [[HOSTILE]]).join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  expect(jsonLine({ name: HOSTILE })).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  expect(JSON.parse(jsonLine({ name: HOSTILE }))).toEqual({ name: HOSTILE })
})
