/** A page of a list that is kept oldest first, turned round without copying all of it. Pages count from 1. */
export function pageOf<Item>(
  items: readonly Item[],
  page: number,
  pageSize: number,
): { item: Item; position: number }[] {
  const newest = items.length - 1 - (page - 1) * pageSize
  const count = Math.max(0, Math.min(pageSize, newest + 1))
  return Array.from({ length: count }, (_, index) => ({ item: items[newest - index]!, position: newest - index }))
}
