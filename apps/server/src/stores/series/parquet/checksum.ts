import { createReadStream } from 'node:fs'
import { crc32 } from 'node:zlib'

/** Finds bytes that changed on the disk; it is no protection against anybody. */
export async function checksumOf(name: string): Promise<number> {
  let checksum = 0
  for await (const chunk of createReadStream(name, { highWaterMark: 1 << 20 })) {
    checksum = crc32(chunk as Buffer, checksum)
  }
  return checksum
}
