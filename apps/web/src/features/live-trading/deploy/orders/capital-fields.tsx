import type { AccountPosition } from '@tradewright/contract/live-trading-fields'
import { formatMoney } from '../../../../lib/format.ts'
import { BoundedNumberField } from '../../../../ui/form/fields/bounded-number-field.tsx'
import { ChoiceField } from '../../../../ui/form/fields.tsx'
import classes from '../deploy-form.module.css'
import { contributedValue } from '../draft.ts'
import { PositionPicker } from './position-picker.tsx'
import type { SectionProps } from '../section-props.ts'

const MODES = { Cash: 'cash', Positions: 'positions' } as const
const POLICIES = { 'Fixed contribution': 'fixed_contribution', 'Percent of account': 'percent_of_account' } as const

interface CapitalFieldsProps extends SectionProps {
  positions: readonly AccountPosition[]
  isLoadingPositions: boolean
}

/** How the deployment gets its money: an amount, a share of the account, or positions that are there already. */
export function CapitalFields({ chosen, edit, positions, isLoadingPositions }: CapitalFieldsProps) {
  const { form } = chosen
  const isPercent = form.capitalPolicy === 'percent_of_account'
  return (
    <>
      <ChoiceField
        label="Contribution mode"
        value={form.contributionMode === 'cash' ? 'Cash' : 'Positions'}
        options={['Cash', 'Positions'] as const}
        onChange={(word) => edit({ contributionMode: MODES[word] })}
      />
      {form.contributionMode === 'cash' ? (
        <ChoiceField
          label="Capital policy"
          term="capital policy"
          value={isPercent ? 'Percent of account' : 'Fixed contribution'}
          options={['Fixed contribution', 'Percent of account'] as const}
          onChange={(word) => edit({ capitalPolicy: POLICIES[word], capitalValue: '0' })}
        />
      ) : (
        <>
          <PositionPicker chosen={chosen} edit={edit} positions={positions} isLoading={isLoadingPositions} />
          <div className={classes.row}>
            <BoundedNumberField
              label="Extra cash"
              prefix="$"
              min={0}
              step={100}
              value={form.extraCash}
              onChange={(extraCash) => edit({ extraCash })}
            />
          </div>
        </>
      )}
    </>
  )
}

/** How much, by the mode and policy that are chosen. */
export function AmountField({
  chosen: { form, account },
  edit,
  positions,
}: SectionProps & Pick<CapitalFieldsProps, 'positions'>) {
  if (form.contributionMode === 'positions') {
    return (
      <p className={`${classes.note} tabular`}>Contributed value: {formatMoney(contributedValue(form, positions))}</p>
    )
  }
  const isPercent = form.capitalPolicy === 'percent_of_account'
  const amountHint = account?.available_cash === null ? undefined : `Available: ${formatMoney(account?.available_cash)}`
  return (
    <>
      {isPercent ? (
        <BoundedNumberField
          label="Percent of account"
          unit="%"
          min={1}
          max={100}
          value={form.capitalValue}
          onChange={(capitalValue) => edit({ capitalValue })}
        />
      ) : (
        <BoundedNumberField
          label="Contribution amount"
          hint={account ? amountHint : undefined}
          prefix="$"
          min={0}
          value={form.capitalValue}
          onChange={(capitalValue) => edit({ capitalValue })}
        />
      )}
      <p className={classes.note}>
        {isPercent
          ? 'The deployment is kept at this percentage of the account; contributions and withdrawals are automatic.'
          : 'The deployment starts with this amount. Contribute and withdraw whenever you want to.'}
      </p>
    </>
  )
}
