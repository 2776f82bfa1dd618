import { expect, it } from 'vitest'
import { readCompletion, TurnReader } from './chat-model.ts'

const saying = (message: object) => readCompletion({ choices: [{ message, finish_reason: 'stop' }] } as never)

it('cuts what is far longer than was asked for, whole or in pieces', () => {
  expect(saying({ content: 'a'.repeat(1_000_000) }).text).toHaveLength(100_000)
  const reader = new TurnReader()
  const piece = { choices: [{ delta: { content: 'a'.repeat(60_000) }, finish_reason: 'stop' }] } as never
  expect([reader.add(piece), reader.add(piece), reader.add(piece)].map(({ length }) => length)).toEqual([
    60_000, 40_000, 0,
  ])
  expect(reader.finished().text).toHaveLength(100_000)
})

it('leaves out tool calls beyond what any round can use', () => {
  const call = { type: 'function', function: { name: 'list', arguments: '{}' } }
  expect(saying({ content: '', tool_calls: Array.from({ length: 5_000 }, () => call) }).toolCalls).toHaveLength(50)
  const reader = new TurnReader()
  for (let index = 0; index < 5_000; index++) {
    reader.add({ choices: [{ delta: { tool_calls: [{ index, ...call }] }, finish_reason: 'tool_calls' }] } as never)
  }
  expect(reader.finished().toolCalls).toHaveLength(50)
})

it('refuses an answer that is no text', () => {
  expect(() => saying({ content: {} })).toThrow("The AI model's answer was not understood.")
})
