import type { OrderLimits } from '@tradewright/contract/live-trading-fields'
import { formatCount, formatMoney } from '../../../../lib/format.ts'
import { BoundedNumberField } from '../../../../ui/form/fields/bounded-number-field.tsx'
import classes from '../deploy-form.module.css'
import type { SectionProps } from '../section-props.ts'

const percent = (limit: number) => `${limit}%`

/** The operator's limit, which holds in any case. */
const operatorHint = (text: string, limit: number | null | undefined, words: (limit: number) => string): string =>
  limit === null || limit === undefined ? text : `${text}; the operator allows ${words(limit)}`

export function OrderLimitFields({
  chosen: { form, account },
  edit,
  isNew = false,
}: SectionProps & { isNew?: boolean }) {
  const operator: Partial<OrderLimits> = account?.operator_limits ?? {}
  const common = { min: 0, placeholder: 'No limit' }
  const isNewWithRealMoney = isNew && account?.paper_trading === false
  const defaults = { min: 0, placeholder: isNewWithRealMoney ? 'Default' : 'No limit' }
  return (
    <div className={classes.fieldsInside}>
      <p className={classes.note}>
        An order beyond a limit is not sent, and the log says so; the next decision tries again. Days are in UTC.
        {isNewWithRealMoney &&
          ' Of the last three, what you leave empty is set for real money: 25% of the account, or what its largest weight needs; 3 times its largest order; a band of 10%.'}
      </p>
      <div className={classes.row}>
        <BoundedNumberField
          label="Maximum value of an order"
          hint={operatorHint('In dollars', operator.max_order_usd, formatMoney)}
          prefix="$"
          {...common}
          value={form.maxOrderUsd}
          onChange={(maxOrderUsd) => edit({ maxOrderUsd })}
        />
        <BoundedNumberField
          label="Maximum value a day"
          hint={operatorHint('Of all its orders', operator.max_daily_usd, formatMoney)}
          prefix="$"
          {...common}
          value={form.maxDailyUsd}
          onChange={(maxDailyUsd) => edit({ maxDailyUsd })}
        />
        <BoundedNumberField
          label="Maximum orders a day"
          hint={operatorHint('Each slice counts', operator.max_daily_orders, formatCount)}
          step={1}
          {...common}
          value={form.maxDailyOrders}
          onChange={(maxDailyOrders) => edit({ maxDailyOrders })}
        />
        <BoundedNumberField
          label="Maximum turnover a day"
          hint={operatorHint('Of the deployment’s value', operator.max_daily_turnover_pct, percent)}
          unit="%"
          {...common}
          value={form.maxDailyTurnoverPct}
          onChange={(maxDailyTurnoverPct) => edit({ maxDailyTurnoverPct })}
        />
        <BoundedNumberField
          label="Maximum loss of the account"
          hint={operatorHint('Since its last close', operator.max_account_loss_pct, percent)}
          unit="%"
          max={100}
          {...common}
          value={form.maxAccountLossPct}
          onChange={(maxAccountLossPct) => edit({ maxAccountLossPct })}
        />
        <BoundedNumberField
          label="Maximum share of the account"
          hint="Of an order"
          unit="%"
          max={100}
          {...defaults}
          value={form.maxOrderPct}
          onChange={(maxOrderPct) => edit({ maxOrderPct })}
        />
        <BoundedNumberField
          label="Maximum multiple of its orders"
          hint="Of the largest of its latest 100"
          {...defaults}
          value={form.maxOrderMultiple}
          onChange={(maxOrderMultiple) => edit({ maxOrderMultiple })}
        />
        <BoundedNumberField
          label="Price band"
          hint="Quote against the price that an order was sized by"
          unit="%"
          max={100}
          {...defaults}
          value={form.priceBandPct}
          onChange={(priceBandPct) => edit({ priceBandPct })}
        />
      </div>
    </div>
  )
}
