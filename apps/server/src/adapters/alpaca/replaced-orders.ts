import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import type { Urgency } from '@tradewright/engine/trading/broker'
import type { Order } from '@tradewright/engine/trading/order'
import { REFUSED } from './failures.ts'
import type { AlpacaHttp } from './http.ts'
import { toOrder } from './order-mapping.ts'
import { AlpacaOrder, AlpacaOrderIds } from './schema.ts'

/** How often one order can be replaced before its chain counts as endless. */
const MAX_REPLACEMENTS = 50
/** A replaced order stays as it is; so many of them are cached. */
const MAX_REMEMBERED = 1_000

/**
 * An order that is changed at Alpaca, by hand in its app, ends as `replaced`, and another with ids of its own takes its
 * place. Here the chain is one order: under the client id of the first, with id and state of the last.
 */
export class ReplacedOrders {
  readonly #http: AlpacaHttp
  readonly #ended = new Map<string, AlpacaOrder>()

  constructor(http: AlpacaHttp) {
    this.#http = http
  }

  /** The order with everything that took its place. */
  async follow(first: AlpacaOrder, urgency?: Urgency): Promise<Order> {
    const chain = [first]
    for (let last = first; last.status === 'replaced' && last.replaced_by !== undefined;) {
      const next = chain.length > MAX_REPLACEMENTS ? undefined : await this.#byId(last.replaced_by, urgency)
      if (!next || isIn(chain, next)) break
      chain.push(next)
      last = next
    }
    return asOne(chain)
  }

  /** Cancels the order, or what took its place. */
  async cancel(orderId: string): Promise<void> {
    for (let id = orderId, left = MAX_REPLACEMENTS; ; left--) {
      try {
        return await this.#http.delete(pathOf(id))
      } catch (error) {
        // It refuses only what has ended already, and an order that was replaced goes on as another one.
        if (!(error instanceof Problem && error.code === REFUSED)) throw error
        const ended = await this.#http.find(AlpacaOrder, pathOf(id), {}, { isUrgent: true })
        const next = ended?.status === 'replaced' ? ended.replaced_by : undefined
        if (next === undefined || next === id || left === 0) throw new Problem('conflict', REFUSED, error.message)
        id = next
      }
    }
  }

  /** A list without orders that another in it has replaced. */
  async collapse(sent: readonly AlpacaOrder[], urgency?: Urgency): Promise<Order[]> {
    const ids = new Set(sent.map(({ id }) => id))
    const isLast = ({ status, replaced_by: by }: AlpacaOrder) =>
      status !== 'replaced' || by === undefined || !ids.has(by)
    const orders: Order[] = []
    for (const last of sent.filter(isLast)) {
      orders.push(last.replaces === undefined ? toOrder(last) : asOne(await this.#chainTo(last, sent, urgency)))
    }
    return orders
  }

  /** The client id of the order that the chain began with. */
  async firstClientId(order: AlpacaOrderIds, known: ReadonlyMap<string, AlpacaOrderIds>): Promise<string> {
    let first = order
    for (let i = 0; first.replaces !== undefined && i < MAX_REPLACEMENTS; i++) {
      const before = known.get(first.replaces) ?? (await this.#idsOf(first.replaces))
      if (!before) break
      first = before
    }
    return first.client_order_id
  }

  async #chainTo(last: AlpacaOrder, listed: readonly AlpacaOrder[], urgency?: Urgency): Promise<AlpacaOrder[]> {
    const chain = [last]
    for (let first = last; first.replaces !== undefined && chain.length <= MAX_REPLACEMENTS; first = chain[0]!) {
      const { replaces } = first
      const before = listed.find(({ id }) => id === replaces) ?? (await this.#byId(replaces, urgency))
      if (!before || isIn(chain, before)) break
      chain.unshift(before)
    }
    return chain
  }

  async #byId(id: string, urgency?: Urgency): Promise<AlpacaOrder | undefined> {
    const sent = this.#ended.get(id) ?? (await this.#http.find(AlpacaOrder, pathOf(id), {}, urgency))
    if (this.#ended.size >= MAX_REMEMBERED) this.#ended.clear()
    if (sent?.status === 'replaced') this.#ended.set(id, sent)
    return sent
  }

  async #idsOf(id: string): Promise<AlpacaOrderIds | undefined> {
    return this.#ended.get(id) ?? this.#http.find(AlpacaOrderIds, pathOf(id))
  }
}

/** In a circle, an order would count several times. */
const isIn = (chain: readonly AlpacaOrder[], order: AlpacaOrder): boolean => chain.some(({ id }) => id === order.id)

export const pathOf = (id: string): string => `/v2/orders/${encodeURIComponent(id)}`

/** Each counts its own executions. */
function asOne(chain: readonly AlpacaOrder[]): Order {
  const orders = chain.map(toOrder)
  const [first, last] = [orders[0]!, orders.at(-1)!]
  if (orders.length === 1) return first
  const filledQuantity = orders.reduce((sum, order) => sum.plus(order.filledQuantity), Decimal.zero)
  const paid = orders.reduce(
    (sum, order) => sum.plus(order.filledQuantity.times(order.averageFillPrice ?? Decimal.zero)),
    Decimal.zero,
  )
  return {
    ...last,
    clientOrderId: first.clientOrderId,
    submittedAt: first.submittedAt,
    state: last.state === 'accepted' && filledQuantity.isPositive ? 'partially_filled' : last.state,
    filledQuantity,
    averageFillPrice: filledQuantity.isPositive ? paid.dividedBy(filledQuantity) : undefined,
    reason: last.reason ?? 'It was changed at the broker.',
  }
}
