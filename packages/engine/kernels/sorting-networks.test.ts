import { expect, it } from 'vitest'
import { cleaningOf, comparisonsOf, NETWORKS } from './sorting-networks.ts'

const NAMES = 'abcdefghijklmnop'

/** What the comparisons make of keys that are 0 or 1, a bit each. */
function sorted(keys: number, comparisons: readonly string[]): number {
  for (const pair of comparisons) {
    const [i, j] = [NAMES.indexOf(pair.charAt(0)), NAMES.indexOf(pair.charAt(1))]
    if ((keys >> i) & 1 && !((keys >> j) & 1)) keys ^= (1 << i) | (1 << j)
  }
  return keys
}

/** Zeros first: the ones are the highest bits. */
function isSorted(keys: number, size: number): boolean {
  const ones = keys.toString(2).replaceAll('0', '').length
  return keys === (1 << size) - (1 << (size - ones))
}

// A network that sorts all zeros and ones sorts everything (Knuth, The Art of Computer Programming, 5.3.4).
it.each(Object.entries(NETWORKS))('the network of %s registers sorts', (registers, network) => {
  const size = Number(registers)
  const comparisons = comparisonsOf(network)
  for (let keys = 0; keys < 1 << size; keys++) {
    if (!isSorted(sorted(keys, comparisons), size)) expect.fail(`not ${keys.toString(2)}`)
  }
})

it.each([2, 4, 8, 12, 16])('%i keys that rise and then fall are sorted', (size) => {
  const comparisons = cleaningOf(NAMES.slice(0, size))
  for (let from = 0; from < size; from++) {
    for (let to = from; to <= size; to++) {
      const keys = (1 << to) - (1 << from)
      expect(isSorted(sorted(keys, comparisons), size), keys.toString(2)).toBe(true)
    }
  }
})
