import { expect, it } from 'vitest'
import { readEvents } from './events.ts'

const streamOf = (pieces: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
const bodyOf = (text: string) => streamOf([new TextEncoder().encode(text)])

it('reads events however the network cuts them', async () => {
  const whole =
    'retry: 2000\nid: 0\n\nid: 1\nevent: text\ndata: {"text":"Größe"}\n\n: still here\n\nevent: done\ndata: {"a":1}\n\n'
  const letters = Array.from(new TextEncoder().encode(whole), (byte) => Uint8Array.of(byte))
  const expected = [
    { event: 'text', data: { text: 'Größe' } },
    { event: 'done', data: { a: 1 } },
  ]
  expect(await Array.fromAsync(readEvents(bodyOf(whole)))).toEqual(expected)
  expect(await Array.fromAsync(readEvents(streamOf(letters)))).toEqual(expected)
})

it('gives no event that was cut off', async () => {
  expect(await Array.fromAsync(readEvents(bodyOf('event: text\ndata: {"te')))).toEqual([])
})
