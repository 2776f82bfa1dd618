import { Button } from '@mantine/core'
import { IconTrash, IconX } from '@tabler/icons-react'
import {
  deleteFactorFile,
  FACTOR_FILE_MAX_BYTES,
  type FactorRegression,
  importFactorFile,
  listFactorFiles,
  regressOnFactors,
} from '@tradewright/contract/factors'
import { FACTOR_LIMITS, type FactorKind, factorSets } from '@tradewright/core/factor-sets'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { HelpLink } from '../../../../help/help-link.tsx'
import { formatNumber, formatPercent, formatPValue, formatRatio, formatSignedPercent } from '../../../../lib/format.ts'
import { formatDateRange } from '../../../../lib/format-time.ts'
import { call, callForText, parsed } from '../../../../lib/http.ts'
import { Banner } from '../../../../ui/feedback/banner.tsx'
import { SourceBadge } from '../../../../ui/feedback/source-badge.tsx'
import { SelectField, TextField } from '../../../../ui/form/fields.tsx'
import { FileField } from '../../../../ui/form/fields/text-fields.tsx'
import { IconButton } from '../../../../ui/form/buttons.tsx'
import { MultiSelectField } from '../../../../ui/form/fields/choice-fields.tsx'
import { Card, CardSection } from '../../../../ui/layout/card.tsx'
import { numeric, Table } from '../../../../ui/table/table.tsx'
import { pointsOf } from '../curve/curve-points.ts'
import classes from './factor-card.module.css'

const LineChart = lazy(() => import('../../../../ui/chart/line-chart.tsx'))

interface Series {
  symbol: string
  kind: FactorKind
}

interface Asked {
  series: readonly Series[]
  file: { id: number; factors: readonly string[] } | null
  /** Explained in place of the result; empty: the result. */
  ticker: string
}

const RISK_FREE = 'RF'
const FILES = ['factor files']

/** What drives a result: loadings on any series or on a file of factors, and what is left as alpha. */
export function FactorCard({ resultId, tickers }: { resultId: number; tickers: readonly string[] }) {
  const [asked, setAsked] = useState<Asked>({ series: factorSets[0]!.series, file: null, ticker: '' })
  const regress = useMutation({
    mutationFn: ({ series, file, ticker }: Asked) =>
      call(regressOnFactors, {
        params: { id: String(resultId) },
        body: {
          series: series.map((one) => ({ ...one })),
          ...(ticker !== '' && { ticker }),
          ...(file && { file: { id: file.id, factors: [...file.factors] } }),
        },
      }),
  })
  const isEmpty = asked.series.length === 0 && !asked.file?.factors.length
  const found = regress.data
  return (
    <Card
      title="Factor regression"
      hint="What drives the returns, and what is left as alpha"
      folds
      actions={
        <>
          {found?.regression?.synthetic && <SourceBadge synthetic />}
          <HelpLink page="portfolio-construction" anchor="what-drives-a-result">
            How it works
          </HelpLink>
        </>
      }
    >
      <CardSection>
        <div className={classes.form}>
          {tickers.length > 0 && (
            <SelectField
              label="Explain"
              value={asked.ticker}
              options={[
                { value: '', label: 'The result' },
                ...tickers.map((ticker) => ({ value: ticker, label: `${ticker} alone` })),
              ]}
              onChange={(ticker) => setAsked({ ...asked, ticker })}
            />
          )}
          <SeriesFields asked={asked} setAsked={setAsked} />
          <FileFields asked={asked} setAsked={setAsked} />
          <Button
            variant="default"
            className={classes.run}
            disabled={isEmpty || regress.isPending}
            onClick={() => regress.mutate(asked)}
          >
            {regress.isPending ? 'Computing...' : 'Run regression'}
          </Button>
        </div>
        {regress.error && <Banner kind="error" text="No regression was computed." detail={regress.error.message} />}
        {found && !found.regression && <p className={classes.note}>n/a because {found.not_available}.</p>}
      </CardSection>
      {found?.regression && <Found regression={found.regression} />}
    </Card>
  )
}

interface FieldsProps {
  asked: Asked
  setAsked: (asked: Asked) => void
}

function SeriesFields({ asked, setAsked }: FieldsProps) {
  const [ticker, setTicker] = useState('')
  const [kind, setKind] = useState<FactorKind>('return')
  const { series } = asked
  const set = (next: readonly Series[]) => setAsked({ ...asked, series: next })
  const symbol = ticker.trim().toUpperCase()
  const canAdd = symbol !== '' && !series.some((one) => one.symbol === symbol) && series.length < FACTOR_LIMITS.series
  return (
    <fieldset className={classes.group}>
      <legend>Series, by ticker or FRED id</legend>
      <SelectField
        label="Preset"
        hideLabel
        value={factorSets.find((one) => one.series === series)?.id ?? ''}
        options={[{ value: '', label: 'Custom' }, ...factorSets.map(({ id, label }) => ({ value: id, label }))]}
        onChange={(id) => set(factorSets.find((one) => one.id === id)?.series ?? [])}
      />
      <ul className={classes.chosen}>
        {series.map((one) => (
          <li key={one.symbol}>
            <b>{one.symbol}</b> {one.kind === 'return' ? 'return' : 'change'}
            <IconButton
              icon={IconX}
              label={`Remove ${one.symbol}`}
              onClick={() => set(series.filter(({ symbol: other }) => other !== one.symbol))}
            />
          </li>
        ))}
      </ul>
      <div className={classes.adder}>
        <TextField label="Ticker of a factor" hideLabel placeholder="Ticker" value={ticker} onChange={setTicker} />
        <SelectField
          label="Measured as"
          hideLabel
          value={kind}
          options={[
            { value: 'return', label: 'Return' },
            { value: 'change', label: 'Change' },
          ]}
          onChange={(next) => setKind(next as FactorKind)}
        />
        <Button
          variant="default"
          disabled={!canAdd}
          onClick={() => {
            set([...series, { symbol, kind }])
            setTicker('')
          }}
        >
          Add
        </Button>
      </div>
    </fieldset>
  )
}

function FileFields({ asked, setAsked }: FieldsProps) {
  const queries = useQueryClient()
  const files = useQuery({
    queryKey: FILES,
    queryFn: async ({ signal }) => (await call(listFactorFiles, { signal })).files,
  })
  const [chosen, setChosen] = useState<File | null>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: FILES })
  const use = (file: { id: number; factors: readonly string[] }) =>
    setAsked({
      ...asked,
      series: [],
      file: { id: file.id, factors: file.factors.filter((name) => name.toUpperCase() !== RISK_FREE) },
    })
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData()
      form.append('name', file.name.replace(/\.\w+$/, ''))
      form.append('file', file)
      return importFactorFile.answer.parse(parsed(await callForText(importFactorFile, form)))
    },
    onSuccess: ({ file }) => {
      setChosen(null)
      use(file)
      return refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (id: number) => call(deleteFactorFile, { params: { id: String(id) } }),
    onSuccess: () => {
      setAsked({ ...asked, file: null })
      return refresh()
    },
  })
  const known = files.data ?? []
  const current = known.find(({ id }) => id === asked.file?.id)
  const isTooLarge = chosen !== null && chosen.size > FACTOR_FILE_MAX_BYTES
  return (
    <fieldset className={classes.group}>
      <legend>Factor file</legend>
      {known.length > 0 && (
        <div className={classes.adder} data-kind="file">
          <SelectField
            label="Factor file"
            hideLabel
            value={String(asked.file?.id ?? '')}
            options={[
              { value: '', label: 'None' },
              ...known.map(({ id, name, frequency }) => ({ value: String(id), label: `${name}, ${frequency}` })),
            ]}
            onChange={(id) => {
              const file = known.find((one) => String(one.id) === id)
              if (file) use(file)
              else setAsked({ ...asked, file: null })
            }}
          />
          {current && (
            <IconButton icon={IconTrash} label={`Delete ${current.name}`} onClick={() => remove.mutate(current.id)} />
          )}
        </div>
      )}
      {current && (
        <MultiSelectField
          label="Factors of the file"
          hideLabel
          value={[...(asked.file?.factors ?? [])]}
          options={current.factors.filter((name) => name.toUpperCase() !== RISK_FREE)}
          onChange={(factors) => setAsked({ ...asked, file: { id: current.id, factors } })}
        />
      )}
      <FileField
        label="Import a CSV, such as Fama-French factors"
        hint="Returns in percent, daily or monthly; a column RF is the risk-free return."
        error={isTooLarge ? 'At most 4 MB.' : (upload.error?.message ?? '')}
        accept=".csv,.txt,text/csv"
        file={chosen}
        onChange={(file) => {
          setChosen(file)
          if (file && file.size <= FACTOR_FILE_MAX_BYTES) upload.mutate(file)
        }}
      />
    </fieldset>
  )
}

function Found({ regression }: { regression: FactorRegression }) {
  const { alpha, loadings, rolling } = regression
  const drawing = useMemo(
    () =>
      rolling && {
        lines: loadings.map(({ name }, i) => ({ name, points: pointsOf(rolling.dates, rolling.loadings[i]!) })),
        format: (value: number) => formatRatio(value),
        baseline: 0,
        watermark: regression.synthetic ? 'Synthetic prices' : null,
        isLogScale: false,
      },
    [rolling, loadings, regression.synthetic],
  )
  return (
    <>
      <Table label="Factor regression">
        <thead>
          <tr>
            <th>Term</th>
            <th className={numeric}>Estimate</th>
            <th className={numeric}>Error</th>
            <th className={numeric}>t</th>
            <th className={numeric}>p</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Alpha, a year</td>
            <td className={numeric}>{formatSignedPercent(alpha.coefficient)}</td>
            <td className={numeric}>{formatPercent(alpha.error)}</td>
            <td className={numeric}>{formatRatio(alpha.t)}</td>
            <td className={numeric}>{formatPValue(alpha.p_value)}</td>
          </tr>
          {loadings.map(({ name, unit, coefficient, error, t, p_value }) => (
            <tr key={name}>
              <td>
                {name}
                {unit === 'per point' && <span className={classes.below}>return per percentage point</span>}
              </td>
              <td className={numeric}>
                {unit === 'return' ? formatRatio(coefficient) : formatSignedPercent(coefficient)}
              </td>
              <td className={numeric}>{unit === 'return' ? formatRatio(error) : formatPercent(error)}</td>
              <td className={numeric}>{formatRatio(t)}</td>
              <td className={numeric}>{formatPValue(p_value)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <CardSection>
        <p className={classes.note}>
          {alphaSentence(regression)} R² {formatPercent(regression.r_squared)} over{' '}
          {formatNumber(regression.n, { decimals: 0 })} {regression.frequency === 'daily' ? 'days' : 'months'} (
          {formatDateRange(regression.start_date, regression.end_date)}), risk-free: {regression.risk_free}. Errors
          after Newey and West with {regression.lags} lags.
        </p>
        {drawing ? (
          <div className={classes.chart}>
            <h3>Rolling loadings, 36 months</h3>
            <Suspense fallback={<div style={{ height: 224 }} />}>
              <LineChart
                drawing={drawing}
                height={200}
                summary={`Rolling loadings of ${loadings.map(({ name }) => name).join(', ')}.`}
              />
            </Suspense>
          </div>
        ) : (
          <p className={classes.note}>Rolling loadings: n/a because {regression.rolling_note}.</p>
        )}
      </CardSection>
    </>
  )
}

/** Whether what is left is told from nothing. */
function alphaSentence({ alpha }: FactorRegression): string {
  if (alpha.p_value === null)
    return 'The factors explain the returns exactly, so there is nothing to test (t and p: n/a).'
  const size = formatSignedPercent(alpha.coefficient)
  const p = formatPValue(alpha.p_value)
  return alpha.p_value < 0.05
    ? `The factors leave ${size} a year unexplained, more than chance alone brings about (p ${p.startsWith('<') ? p : `= ${p}`}).`
    : `The factors leave ${size} a year, which cannot be told from zero (p = ${formatRatio(alpha.p_value)}).`
}
