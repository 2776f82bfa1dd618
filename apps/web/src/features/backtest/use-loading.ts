import { kindNamed } from '@tradewright/core/strategy-kinds'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { todayUtc } from '../../strategy-form/dates.ts'
import type { StudioBacktest } from './answer/studio-result.ts'
import { type BacktestForm, newForm } from './form/form.ts'
import { fromSavedBacktest, fromSavedStrategy } from './form/form-reading.ts'
import { backtestNotLoaded, failedTo, rulesNotReadable, type StudioMessage } from './messages.ts'
import { type Loaded, loadBacktest, loadStrategy, useRefreshSaved } from './queries.ts'
import { readTree } from './rules/exchange.ts'
import type { SavedChoice, SetChoice } from './use-saved-choice.ts'

interface Loading {
  /** The page was opened with a result in its address or its draft. */
  isOpening: boolean
  setChoice: SetChoice
  edit: (form: BacktestForm) => void
  /** `isInForm`: the form has been filled with the settings of the result. */
  show: (loaded: Loaded<StudioBacktest>, form: BacktestForm, isInForm: boolean) => void
  tell: (message: StudioMessage) => void
}

type OnLoaded = (name: string) => void
const ignore = () => {}

/** Loads what is chosen into the form; of two choices in a row only the later one arrives. */
export function useLoading({ isOpening: isFirst, setChoice, edit, show, tell }: Loading) {
  const queries = useQueryClient()
  const refreshLists = useRefreshSaved()
  const latest = useRef(0)
  const [isOpening, setOpening] = useState(isFirst)
  const ifLatest = async <T>(loading: Promise<T>, use: (loaded: T) => void, failed: (error: unknown) => void) => {
    const ticket = ++latest.current
    try {
      const loaded = await loading
      if (ticket === latest.current) use(loaded)
    } catch (error) {
      if (ticket === latest.current) failed(error)
    }
    if (ticket === latest.current) setOpening(false)
  }

  /** `onLoaded`: before it fills the form; its name is empty for a new form. */
  const chooseStrategy = (strategyId: string, onLoaded: OnLoaded = ignore) => {
    setChoice({ strategyId, backtestId: '' })
    if (!strategyId) onLoaded('')
    edit(newForm(todayUtc()))
    if (!strategyId) return
    void ifLatest(
      loadStrategy(queries, strategyId),
      (strategy) => {
        onLoaded(strategy.name)
        if (isReadable(strategy)) edit(fromSavedStrategy(strategy, todayUtc()))
        else tell(rulesNotReadable(strategy.name))
      },
      (error) => tell(failedTo('load strategy', error)),
    )
  }

  const chooseBacktest = (strategyId: string, backtestId: string, onLoaded: OnLoaded = ignore) => {
    setChoice({ strategyId, backtestId })
    if (!backtestId) return
    setOpening(true)
    void ifLatest(
      loadBacktest(backtestId),
      (loaded) => {
        const form = fromSavedBacktest(loaded.answer, todayUtc())
        onLoaded(loaded.answer.name)
        edit(form)
        show(loaded, form, true)
        const owner = loaded.answer.strategy_id
        if (owner !== null) setChoice({ strategyId: String(owner), backtestId })
      },
      (error) => {
        const message = backtestNotLoaded(error)
        // Nothing is chosen in the list then, and a reload does not ask for it again.
        if (message.kind === 'info') {
          setChoice({ strategyId, backtestId: '' })
          void refreshLists()
        }
        tell(message)
      },
    )
  }

  /** The result of a form that was left is shown again; the form stays as it was typed. */
  const resume = (choice: SavedChoice) => {
    setChoice(choice, { isOfPortfolios: true })
    if (!choice.backtestId) return
    void ifLatest(
      loadBacktest(choice.backtestId),
      (loaded) => show(loaded, fromSavedBacktest(loaded.answer, todayUtc()), false),
      () => setChoice({ ...choice, backtestId: '' }, { isOfPortfolios: true }),
    )
  }

  /** What is under way no longer arrives. */
  const stop = () => {
    latest.current += 1
    setOpening(false)
  }

  return { isOpening, chooseStrategy, chooseBacktest, resume, stop }
}

/** Rules of a later version would be shown as others, and saved in their place. */
const isReadable = ({ strategy_type, config }: { strategy_type: string; config: { rules?: unknown } }): boolean =>
  !kindNamed(strategy_type).hasBlocks || 'value' in readTree(config.rules)
