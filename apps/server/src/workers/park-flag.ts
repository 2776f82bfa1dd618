/** Values of the cell, one per thread, that a task polls whenever it asks whether it is cancelled. */
export const GO_ON = 0
export const PARK = 1
