/**
 * 64 bits that tell one set of data from another, as 16 hexadecimal digits: a result names the data it came from.
 * Two lanes of MurmurHash3's 32-bit mixing over the bytes of the columns, in order. Not for secrets.
 */
export function fingerprint(columns: readonly Float64Array[]): string {
  let [a, b] = [0x9e3779b9, 0x85ebca6b]
  for (const column of columns) {
    const words = new Uint32Array(column.buffer, column.byteOffset, column.length * 2)
    a = mix(a, column.length)
    b = mix(b, ~column.length)
    for (let i = 0; i < words.length; i += 2) {
      a = mix(a, words[i]!)
      b = mix(b, words[i + 1]!)
      // Without this the lanes would mix only halves of numbers.
      a = (a + b) | 0
      b = (b ^ (a << 7)) | 0
    }
  }
  return hex(finish(a)) + hex(finish(b ^ a))
}

function mix(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51)
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593)
  const h = hash ^ k
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0
}

function finish(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

const hex = (word: number): string => word.toString(16).padStart(8, '0')
