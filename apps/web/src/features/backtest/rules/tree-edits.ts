import { type Block, MAX_BLOCKS, type RulesTree } from '@tradewright/core/rules/tree'
import { emptyKind, type Family, type RuleKind, ruleKinds, type RuleNode, type SlotKind } from './kinds.ts'

/** From the tree to a card: `['root', 'yes', 'children', 0]`. */
export type Path = readonly (string | number)[]

export const ROOT: Path = ['root']

/** As problems have it, and as the DOM does. */
export const pathKey = (path: Path): string => path.join('.')

/** A filled place. */
export interface Card {
  readonly path: Path
  readonly node: RuleNode
  readonly slot: SlotKind
  readonly parent: Path | undefined
}

/** The tree and what is new in sight: the focus goes there. */
export interface Edited {
  readonly tree: RulesTree
  readonly focus: Path
}

const ROOT_SLOT: SlotKind = { key: 'root', family: 'block', label: 'Hold', holds: 'one' }

/** Cards directly inside one, in their order on the screen. */
export function cardsIn(node: RuleNode, path: Path): Card[] {
  return ruleKinds[node.kind].slots.flatMap((slot) => {
    const inside = fieldOf(node, slot.key)
    if (Array.isArray(inside)) {
      return inside.map((one: RuleNode, i) => ({ path: [...path, slot.key, i], node: one, slot, parent: path }))
    }
    return inside === undefined ? [] : [{ path: [...path, slot.key], node: inside as RuleNode, slot, parent: path }]
  })
}

/** Every card, each before those inside it. */
export function allCards(tree: RulesTree): Card[] {
  const cards: Card[] = []
  const walk = (card: Card): void => {
    cards.push(card)
    for (const inside of cardsIn(card.node, card.path)) walk(inside)
  }
  walk({ path: ROOT, node: tree.root, slot: ROOT_SLOT, parent: undefined })
  return cards
}

export const cardAt = (tree: RulesTree, path: Path): Card | undefined =>
  allCards(tree).find((card) => pathKey(card.path) === pathKey(path))

/** The card that a problem is about: the nearest one on its way. */
export function cardOfPath(tree: RulesTree, problemPath: string): Card | undefined {
  return allCards(tree).findLast(({ path }) => {
    const key = pathKey(path)
    return problemPath === key || problemPath.startsWith(`${key}.`)
  })
}

export const replaceNode = (tree: RulesTree, path: Path, node: RuleNode): RulesTree => setIn(tree, path, node)

/** A card that must be there is replaced by an empty one. */
export function removeCard(tree: RulesTree, path: Path): Edited {
  const card = cardAt(tree, path)
  if (!card) return { tree, focus: path }
  const { slot, parent } = card
  if (slot.holds === 'one' || parent === undefined) {
    const node = ruleKinds[emptyKind[slot.family]].create(freshId(tree, emptyKind[slot.family]))
    return { tree: replaceNode(tree, path, node), focus: path }
  }
  if (slot.holds === 'optional') return { tree: setIn(tree, path, undefined), focus: parent }
  const place = path.at(-1) as number
  const next = withList(
    tree,
    parent,
    slot,
    (list) => list.toSpliced(place, 1),
    (pcts) => pcts.toSpliced(place, 1),
  )
  return { tree: next, focus: place > 0 ? [...parent, slot.key, place - 1] : parent }
}

/** Into an empty place of a card, or at the end of its list. */
export function addCard(tree: RulesTree, parent: Path, slot: SlotKind, node: RuleNode): Edited {
  if (slot.holds !== 'list') {
    const path = [...parent, slot.key]
    return { tree: setIn(tree, path, node), focus: path }
  }
  const count = listOf(tree, parent, slot).length
  return insertAt(tree, parent, slot, count, node)
}

/** After a card of a list; elsewhere the card is replaced. Ids that are taken are given anew. */
export function pasteCard(tree: RulesTree, path: Path, copied: RuleNode): Edited {
  const card = cardAt(tree, path)
  if (!card) return { tree, focus: path }
  const inList = card.slot.holds === 'list' && card.parent !== undefined
  const base = inList ? tree : setIn<RulesTree>(tree, path, ruleKinds[emptyKind[card.slot.family]].create('-'))
  const node = withFreshIds(base, copied)
  if (inList) return insertAt(tree, card.parent, card.slot, (path.at(-1) as number) + 1, node)
  return { tree: replaceNode(tree, path, node), focus: path }
}

/** In a list the copy follows the card; elsewhere both go side by side into a group, or into "all of". */
export function duplicateCard(tree: RulesTree, path: Path): Edited {
  const card = cardAt(tree, path)
  if (!card) return { tree, focus: path }
  if (card.slot.holds === 'list') return pasteCard(tree, path, card.node)
  const wrapped = wrapCard(tree, path, card.slot.family === 'block' ? 'group' : 'all')
  const key = ruleKinds[wrapped.kind].slots[0]!.key
  return pasteCard(wrapped.tree, [...path, key, 0], card.node)
}

/** Puts a card into a new one of this kind, at its first place for such a card. */
export function wrapCard(tree: RulesTree, path: Path, kind: RuleKind): Edited & { kind: RuleKind } {
  const card = cardAt(tree, path)
  if (!card) return { tree, focus: path, kind }
  return { tree: replaceNode(tree, path, wrapping(tree, card.node, kind)), focus: path, kind }
}

/** Changes places with the card before or after it, of the same family and inside the same card. */
export function moveCard(tree: RulesTree, path: Path, by: -1 | 1): Edited {
  const other = neighbourOf(tree, path, by)
  const card = cardAt(tree, path)
  if (!card || !other) return { tree, focus: path }
  const moved = replaceNode(replaceNode(tree, path, other.node), other.path, card.node)
  const { slot, parent } = card
  if (slot.holds !== 'list' || other.slot.key !== slot.key || parent === undefined) {
    return { tree: moved, focus: other.path }
  }
  // Weights go with their blocks.
  const [a, b] = [path.at(-1) as number, other.path.at(-1) as number]
  const swapped = withList(
    moved,
    parent,
    slot,
    (list) => list,
    (pcts) => pcts.map((pct, i) => (i === a ? (pcts[b] ?? pct) : i === b ? (pcts[a] ?? pct) : pct)),
  )
  return { tree: swapped, focus: other.path }
}

function neighbourOf(tree: RulesTree, path: Path, by: -1 | 1): Card | undefined {
  const card = cardAt(tree, path)
  const owner = card?.parent && cardAt(tree, card.parent)
  if (!card || !owner) return undefined
  const siblings = cardsIn(owner.node, owner.path).filter(({ slot }) => slot.family === card.slot.family)
  return siblings[siblings.findIndex((one) => pathKey(one.path) === pathKey(path)) + by]
}

/** The card as another kind. What both have stays; a kind with cards inside takes the card in. */
export function changeKind(tree: RulesTree, path: Path, kind: RuleKind): RulesTree {
  const card = cardAt(tree, path)
  if (!card || card.node.kind === kind) return tree
  return replaceNode(tree, path, converted(tree, card.node, kind))
}

function converted(tree: RulesTree, node: RuleNode, kind: RuleKind): RuleNode {
  const named = { id: node.id, ...(node.name !== undefined && { name: node.name }) }
  if (node.kind === 'hold' && kind === 'pick') {
    const { rows, ...shared } = node
    return { ...shared, kind, tickers: rows.map(({ ticker }) => ticker), weights: { kind: 'equal' } }
  }
  if (node.kind === 'pick' && kind === 'hold') {
    const pct = Math.floor(10_000 / Math.max(1, node.tickers.length)) / 100
    const { rebalance, rest } = node
    return {
      ...named,
      kind,
      rows: node.tickers.map((ticker) => ({ ticker, pct })),
      ...(rebalance && { rebalance }),
      ...(rest && { rest }),
    }
  }
  if ((node.kind === 'all' || node.kind === 'any') && (kind === 'all' || kind === 'any')) return { ...node, kind }
  const insides = cardsIn(node, []).map((card) => card.node)
  const same = insides.find((inside) => inside.kind === kind)
  if (same) return same
  const { family } = ruleKinds[kind]
  const takesIn = ruleKinds[kind].slots.some((slot) => slot.family === family && slot.holds !== 'optional')
  if (takesIn) {
    const first = insides.find((inside) => ruleKinds[inside.kind].family === family)
    const isOfOne = node.kind === 'not' || node.kind === 'streak' || node.kind === 'latch'
    return wrapping(tree, isOfOne && first ? first : node, kind)
  }
  return { ...ruleKinds[kind].create(node.id), ...named }
}

function wrapping(tree: RulesTree, node: RuleNode, kind: RuleKind): RuleNode {
  const outer = ruleKinds[kind].create(freshId(tree, kind))
  const slot = ruleKinds[kind].slots.find(({ family }) => family === ruleKinds[node.kind].family)
  if (!slot) return outer
  return { ...outer, [slot.key]: slot.holds === 'list' ? [node] : node }
}

/** An id that the tree does not have: `pick-2`. */
export function freshId(tree: RulesTree, base: string): string {
  return freeId(idsOf(tree), base)
}

function freeId(taken: ReadonlySet<string>, base: string): string {
  // 40 characters are allowed.
  const stem = base.replace(/-\d+$/, '').slice(0, 34)
  for (let number = 1; ; number++) {
    const id = `${stem}-${number}`
    const isFree =
      !taken.has(id) && !['-condition', '-then', '-else', '-of', '-enter', '-exit'].some((end) => taken.has(id + end))
    if (isFree) return id
  }
}

const idsOf = (tree: RulesTree): Set<string> => new Set(allCards(tree).map(({ node }) => node.id))

/** Cards inside keep their own ids where those are free; uses of blocks that are copied along follow the copies. */
export function withFreshIds(tree: RulesTree, copied: RuleNode): RuleNode {
  const taken = idsOf(tree)
  const renamed = new Map<string, string>()
  const rename = (node: RuleNode, path: Path): void => {
    const id = taken.has(node.id) ? freeId(taken, node.id) : node.id
    taken.add(id)
    renamed.set(node.id, id)
    for (const inside of cardsIn(node, path)) rename(inside.node, inside.path)
  }
  rename(copied, [])
  const rewrite = (node: RuleNode): RuleNode => {
    const own = { ...node, id: renamed.get(node.id) ?? node.id } as RuleNode
    const named = own.kind === 'use' ? { ...own, of: renamed.get(own.of) ?? own.of } : own
    return cardsIn(named, []).reduce<RuleNode>(
      (whole, { path, node: inside }) => setIn(whole, path, rewrite(inside)),
      named,
    )
  }
  return rewrite(copied)
}

/** Tickers that blocks may hold, each once, in the order of the tree. */
export function heldTickers(tree: RulesTree): string[] {
  const tickers = allCards(tree).flatMap(({ node }) => {
    if (node.kind === 'hold') return node.rows.map(({ ticker }) => ticker)
    return node.kind === 'pick' ? node.tickers : []
  })
  return [...new Set(tickers)]
}

export const countCards = (tree: RulesTree): number => allCards(tree).length

/** Why a card cannot be added; undefined where it can. */
export function refusalToAdd(tree: RulesTree, node: RuleNode): string | undefined {
  const count = countCards(tree) + countNode(node)
  return count > MAX_BLOCKS ? `The tree would have ${count} blocks; up to ${MAX_BLOCKS} are allowed.` : undefined
}

const countNode = (node: RuleNode): number =>
  cardsIn(node, []).reduce((sum, { node: inside }) => sum + countNode(inside), 1)

export const familyOf = (node: RuleNode): Family => ruleKinds[node.kind].family
export const isBlock = (node: RuleNode): node is Block => familyOf(node) === 'block'

function insertAt(tree: RulesTree, parent: Path, slot: SlotKind, place: number, node: RuleNode): Edited {
  const next = withList(
    tree,
    parent,
    slot,
    (list) => list.toSpliced(place, 0, node),
    (pcts) => pcts.toSpliced(place, 0, 0),
  )
  return { tree: next, focus: [...parent, slot.key, place] }
}

/** Changes a list of cards, and the weights of a group with it. */
function withList(
  tree: RulesTree,
  parent: Path,
  { key }: SlotKind,
  edit: (list: readonly RuleNode[]) => readonly RuleNode[],
  editPcts: (pcts: readonly number[]) => readonly number[],
): RulesTree {
  const owner = cardAt(tree, parent)!.node
  const next = { ...owner, [key]: edit(fieldOf(owner, key) as readonly RuleNode[]) } as RuleNode
  if (next.kind !== 'group' || next.weights.kind !== 'fixed' || key !== 'children') {
    return replaceNode(tree, parent, next)
  }
  return replaceNode(tree, parent, { ...next, weights: { kind: 'fixed', pcts: editPcts(next.weights.pcts) } })
}

const listOf = (tree: RulesTree, parent: Path, { key }: SlotKind): readonly RuleNode[] =>
  fieldOf(cardAt(tree, parent)!.node, key) as readonly RuleNode[]

const fieldOf = (node: RuleNode, key: string): unknown => (node as unknown as Record<string, unknown>)[key]

/** A copy with one part replaced; undefined takes the part out. Everything beside the way to it is the same object. */
function setIn<Whole>(whole: Whole, path: Path, part: unknown): Whole {
  const [key, ...rest] = path
  if (key === undefined) return part as Whole
  const inside = (whole as Record<string | number, unknown>)[key]
  const next = setIn(inside, rest, part)
  if (Array.isArray(whole)) return whole.with(key as number, next) as Whole
  const { [key]: _, ...others } = whole as Record<string | number, unknown>
  return (next === undefined ? others : { ...whole, [key]: next }) as Whole
}
