import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { drawPicture } from './draw.ts'
import type { SharedPicture } from './picture.ts'

const fileOf = (name: string): Promise<Buffer> => readFile(fileURLToPath(import.meta.resolve(name)))

let ready: Promise<Buffer[]> | undefined

/** The renderer is started once a thread. */
async function start(): Promise<Buffer[]> {
  await initWasm(await fileOf('@resvg/resvg-wasm/index_bg.wasm'))
  return Promise.all([
    fileOf('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    fileOf('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  ])
}

/** A compute task: the preview of a shared result as a PNG file. */
export async function run(picture: SharedPicture): Promise<Uint8Array> {
  ready ??= start()
  const fontBuffers = await ready
  const drawn = new Resvg(drawPicture(picture), { font: { fontBuffers, defaultFontFamily: 'Inter' } })
  try {
    return Uint8Array.from(drawn.render().asPng())
  } finally {
    drawn.free()
  }
}
