import { cellOf, placesOf } from '@tradewright/core/rules/study'

/** The cells one step away in one of the numbers: two for each, fewer at an edge. */
export function stepCells(cell: number, lengths: readonly number[]): number[] {
  const places = placesOf(cell, lengths)
  return places.flatMap((place, number) =>
    [place - 1, place + 1]
      .filter((one) => one >= 0 && one < lengths[number]!)
      .map((one) => cellOf(places.with(number, one), lengths)),
  )
}

/** The adjacent cells: those at most one step away in every number, without the cell itself. */
export function adjacentCells(cell: number, lengths: readonly number[]): number[] {
  const around = placesOf(cell, lengths).reduce<number[][]>(
    (begun, place, number) =>
      [place - 1, place, place + 1]
        .filter((one) => one >= 0 && one < lengths[number]!)
        .flatMap((one) => begun.map((places) => [...places, one])),
    [[]],
  )
  return around
    .map((places) => cellOf(places, lengths))
    .filter((one) => one !== cell)
    .sort((a, b) => a - b)
}
