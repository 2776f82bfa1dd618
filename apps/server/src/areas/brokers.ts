import { type AlpacaAddresses, customHost } from '../adapters/alpaca/addresses.ts'
import { alpacaBroker } from '../adapters/alpaca/broker.ts'
import { alpacaKeyCheck } from '../adapters/alpaca/check-keys.ts'
import { alpacaClient, alpacaHttp } from '../adapters/alpaca/http.ts'
import { alpacaQuotes } from '../adapters/alpaca/quotes.ts'
import { watchTradeUpdates } from '../adapters/alpaca/trade-updates.ts'
import { exchangeKeyCheck } from '../adapters/ccxt/check-keys.ts'
import { exchangeDefinitions } from '../adapters/ccxt/exchanges.ts'
import { exchangeAccounts } from '../adapters/ccxt/exchange-accounts.ts'
import type { BuiltInBrokerId, ExchangeId } from '@tradewright/core/broker-catalogue'
import type { HttpSurroundings } from '../adapters/http/http-client.ts'
import type { BrokerageAccount } from '../brokerage/account.ts'
import { openKeys } from '../brokerage/account-keys.ts'
import type { BrokerDefinition, Brokers } from '../brokerage/broker-definition.ts'
import { paperBroker, type PaperBrokerDeps, type PaperRules } from '../brokerage/paper/paper-broker.ts'
import type { Seal } from '../secrets/seal.ts'

interface BrokerNeeds {
  readonly alpaca: AlpacaAddresses
  /** The host of Alpaca's market data. */
  readonly alpacaData: string
  /** Hosts in place of an exchange's own. */
  readonly exchangeUrls: Readonly<Partial<Record<ExchangeId, string>>>
  readonly http: HttpSurroundings
  readonly paper: PaperBrokerDeps
  readonly seal: Seal
  /** Ends calls that are under way when the program stops. */
  readonly signal: AbortSignal
}

/** Each broker of the catalogue, connected to its adapter. */
export const openBrokers = (needs: BrokerNeeds): Brokers => ({
  ...connectedBrokers(needs),
  paper: builtIn(needs),
  'paper-whole-shares': builtIn(needs, { wholeShares: true, feePerOrder: 1 }),
})

type ConnectedNeeds = Omit<BrokerNeeds, 'paper'>

/** The brokers that keep their accounts elsewhere. */
export const connectedBrokers = (needs: ConnectedNeeds): Omit<Brokers, BuiltInBrokerId> => ({
  alpaca: alpaca(needs),
  ...exchanges(needs),
})

function alpaca({ alpaca: addresses, alpacaData, http, seal, signal }: ConnectedNeeds): BrokerDefinition {
  const baseUrlOf = ({ isPaper }: BrokerageAccount) => addresses[isPaper ? 'paper' : 'live']
  return {
    checkKeys: alpacaKeyCheck(addresses, http),
    open(account) {
      const keys = openKeys(seal, account)
      const client = alpacaClient(baseUrlOf(account), keys, http)
      return alpacaBroker({
        http: alpacaHttp(client, signal, http.log),
        now: () => http.timing.now(),
        quotes: alpacaQuotes(alpacaData, keys, http, signal),
      })
    },
    watch(find, onNews) {
      const address = async () => {
        const account = await find()
        return account && { baseUrl: baseUrlOf(account), keys: openKeys(seal, account) }
      }
      return watchTradeUpdates({ address, onNews, log: http.log })
    },
    customHost: ({ isPaper }) => customHost(addresses, isPaper),
  }
}

function exchanges({ exchangeUrls, http, seal, signal }: ConnectedNeeds): Record<ExchangeId, BrokerDefinition> {
  const entries = exchangeDefinitions.map((definition): [ExchangeId, BrokerDefinition] => {
    const baseUrl = exchangeUrls[definition.id]
    const brokerOf = exchangeAccounts(definition, baseUrl, http, signal)
    return [
      definition.id,
      {
        checkKeys: exchangeKeyCheck(definition, baseUrl, http),
        open: (account) => brokerOf(openKeys(seal, account), account.isPaper),
        customHost: () => baseUrl && new URL(baseUrl).host,
      },
    ]
  })
  return Object.fromEntries(entries) as Record<ExchangeId, BrokerDefinition>
}

const builtIn = ({ paper }: BrokerNeeds, rules: PaperRules = {}): BrokerDefinition => ({
  open: ({ userId, id }) => paperBroker(paper, { userId, accountId: id }, rules),
})
