/** Items whose name the question holds, longer names first, each once. */
export function namedIn<Item extends { readonly name: string }>(question: string, items: readonly Item[]): Item[] {
  let rest = question.toLowerCase()
  const found: Item[] = []
  for (const item of [...items].sort((a, b) => b.name.length - a.name.length)) {
    const name = item.name.toLowerCase()
    if (name === '' || !rest.includes(name)) continue
    found.push(item)
    rest = rest.replace(name, ' ')
  }
  const place = ({ name }: Item) => question.toLowerCase().indexOf(name.toLowerCase())
  return found.sort((a, b) => place(a) - place(b))
}
