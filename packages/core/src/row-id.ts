/** The largest value of an integer column. */
export const LARGEST_ID = 2 ** 31 - 1

/** Any other number belongs to no row, and a database asked for it answers with an error. */
export const mayBeRowId = (id: number): boolean => Number.isInteger(id) && id >= 1 && id <= LARGEST_ID
