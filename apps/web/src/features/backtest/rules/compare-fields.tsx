import type { Tolerance } from '@tradewright/core/rules/tree'
import { CheckField } from '../../../ui/form/fields.tsx'
import type { FieldsProps, OfKind } from './fields-props.ts'
import { InlineSelect } from './inline-select.tsx'
import { NumberBox } from './number-box.tsx'
import { OperandFields } from './operand-fields.tsx'
import classes from './rules.module.css'

export function Comparison({ node, onChange, isByMember }: FieldsProps<OfKind<'compare'>>) {
  const { tolerance } = node
  const put = (next: Tolerance | undefined, field?: string) => {
    const { tolerance: _, ...rest } = node
    onChange(next ? { ...rest, tolerance: next } : rest, field)
  }
  return (
    <>
      <div className={classes.line}>
        <OperandFields
          label="Left side"
          operand={node.left}
          isByMember={isByMember}
          onChange={(left, field) => onChange({ ...node, left }, field)}
        />
        <InlineSelect
          label="Comparison"
          value={node.is}
          options={[
            { value: 'above', label: 'is above' },
            { value: 'below', label: 'is below' },
          ]}
          onChange={(is) => onChange({ ...node, is: is === 'below' ? 'below' : 'above' })}
        />
        <OperandFields
          label="Right side"
          operand={node.right}
          isByMember={isByMember}
          onChange={(right, field) => onChange({ ...node, right }, field)}
        />
      </div>
      <div className={classes.line}>
        <CheckField
          label="Tolerance"
          checked={tolerance !== undefined}
          onChange={(isOn) => put(isOn ? { size: 3, unit: 'percent', latched: true } : undefined)}
        />
        {tolerance && (
          <>
            <NumberBox
              label="Size of the tolerance"
              min={0}
              value={tolerance.size}
              onChange={(size) => put({ ...tolerance, size }, 'tolerance')}
            />
            <InlineSelect
              label="Unit of the tolerance"
              value={tolerance.unit}
              options={[
                { value: 'percent', label: '%' },
                { value: 'points', label: 'points' },
              ]}
              onChange={(unit) => put({ ...tolerance, unit: unit === 'points' ? 'points' : 'percent' })}
            />
            <CheckField
              label="Keeps its answer inside it"
              checked={tolerance.latched}
              onChange={(latched) => put({ ...tolerance, latched })}
            />
          </>
        )}
      </div>
    </>
  )
}
