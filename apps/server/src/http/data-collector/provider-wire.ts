import type { Provider } from '@tradewright/contract/data-collector'
import type { MarketDataProvider } from '@tradewright/engine/market/provider'

export const toWireProvider = (provider: MarketDataProvider): Provider => ({
  id: provider.id,
  display_name: provider.displayName,
  provider_type: provider.providerType,
  requires_auth: provider.requiresAuth,
  max_ticker_batch: provider.limits.maxTickerBatch,
  is_custom: provider.isCustom,
  supported_categories: [...provider.limits.supportedCategories],
  capabilities: { bulk_mode: provider.limits.bulkMode },
  granularities: Object.keys(provider.limits.history),
  synthetic: provider.synthetic,
})
