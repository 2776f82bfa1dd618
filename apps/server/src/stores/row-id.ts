/** The largest value of an integer column; a larger id belongs to no row, and asking for it would be an error. */
const LARGEST_ID = 2 ** 31 - 1

export const mayBeRowId = (id: number): boolean => Number.isInteger(id) && id >= 0 && id <= LARGEST_ID
