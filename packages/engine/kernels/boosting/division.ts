// Divides the rows of a large node, chunk by chunk, from one list of places into another or within the same one.
//
// Within one list, its first and its last chunk wait in buffers of their own, so that there is room for a chunk at both
// ends; what is read next comes from the end where less room is left.

import { back, front, listAt, partitionChunk, startPartition } from './divide'
import { CHUNK_ROWS } from './layout'
import { chunkPlaces } from './large-layout'

const CHUNK_BYTES: usize = <usize>CHUNK_ROWS << 2

let inPlace: bool = false
/** What was not read yet. */
let unreadFrom: usize = 0
let unreadTo: usize = 0
// chunkPlaces has room for the chunk that is divided next and, behind it, for those that wait: their bytes.
let firstBytes: usize = 0
let lastBytes: usize = 0

/** Begins with the places [begin, end) of a list. */
export function startDivision(from: usize, to: usize, begin: i32, end: i32): void {
  startPartition(to, begin, end)
  unreadFrom = listAt(from, begin)
  unreadTo = listAt(from, end)
  inPlace = from == to
  firstBytes = 0
  lastBytes = 0
  if (inPlace) setFirstAndLastAside()
}

function setFirstAndLastAside(): void {
  firstBytes = min(CHUNK_BYTES, unreadTo - unreadFrom)
  memory.copy(chunkPlaces + CHUNK_BYTES, unreadFrom, firstBytes)
  unreadFrom += firstBytes
  lastBytes = min(CHUNK_BYTES, unreadTo - unreadFrom)
  unreadTo -= lastBytes
  memory.copy(chunkPlaces + 2 * CHUNK_BYTES, unreadTo, lastBytes)
}

/** Divides the next chunk; `front` and `back` of divide.ts then lie behind its rows. False when there was none. */
export function divideChunk(): bool {
  if (unreadFrom < unreadTo) divideUnread()
  else if (firstBytes > 0) {
    partitionChunk(chunkPlaces + CHUNK_BYTES, chunkPlaces + CHUNK_BYTES + firstBytes)
    firstBytes = 0
  } else if (lastBytes > 0) {
    partitionChunk(chunkPlaces + 2 * CHUNK_BYTES, chunkPlaces + 2 * CHUNK_BYTES + lastBytes)
    lastBytes = 0
  } else return false
  return true
}

function divideUnread(): void {
  const bytes = min(CHUNK_BYTES, unreadTo - unreadFrom)
  if (!inPlace) {
    partitionChunk(unreadFrom, unreadFrom + bytes)
    unreadFrom += bytes
    return
  }
  const roomBefore = unreadFrom - front
  const roomBehind = back + 4 - unreadTo
  if (roomBefore <= roomBehind) {
    memory.copy(chunkPlaces, unreadFrom, bytes)
    unreadFrom += bytes
  } else {
    unreadTo -= bytes
    memory.copy(chunkPlaces, unreadTo, bytes)
  }
  partitionChunk(chunkPlaces, chunkPlaces + bytes)
}
