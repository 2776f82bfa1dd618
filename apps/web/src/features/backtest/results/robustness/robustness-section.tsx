import { Button } from '@mantine/core'
import type { RobustnessBoard, RobustnessCheck } from '@tradewright/contract/robustness'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh, IconShieldCheck } from '@tabler/icons-react'
import { Banner } from '../../../../ui/feedback/banner.tsx'
import { HowComputed } from '../../../../ui/feedback/how-computed.tsx'
import { SourceBadge } from '../../../../ui/feedback/source-badge.tsx'
import { SkeletonLine } from '../../../../ui/feedback/skeletons.tsx'
import { CheckList } from '../../../../ui/form/check-list.tsx'
import { Card } from '../../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../../ui/table/figure.tsx'
import { formatNumber } from '../../../../lib/format.ts'
import { Plot } from './plots.tsx'
import classes from './robustness.module.css'
import { useRobustness } from './use-robustness.ts'
import { absentOf, BOARD_POWER, formatValue, reasonsOf, TONE_WORDS, totalsOf } from './words.ts'

/** Would I believe this? One button, one verdict with its reasons, and what each check found. */
export function RobustnessSection({ id, synthetic }: { id: number; synthetic: boolean }) {
  const robustness = useRobustness(id)
  const { board, job, failure, error, isLoading } = robustness
  return (
    <>
      {error && <Banner kind="error" text="The robustness checks could not be run" detail={error.message} />}
      {failure !== null && !job && <Banner kind="error" text="The robustness checks failed" detail={failure} />}
      {isLoading && (
        <Card>
          <div className={classes.loading}>
            <SkeletonLine width={220} height={18} />
            <SkeletonLine width={360} />
          </div>
        </Card>
      )}
      {job && (
        <Progress
          note={job.progress?.note ?? 'Waiting'}
          fraction={job.progress?.fraction ?? null}
          isCancelling={robustness.isCancelling}
          onCancel={robustness.cancel}
        />
      )}
      {!isLoading && !board && !job && (
        <Invitation isBusy={robustness.isStarting} wasCancelled={robustness.wasCancelled} onStart={robustness.start} />
      )}
      {board && (
        <BoardOnShow
          board={board}
          synthetic={synthetic}
          isBusy={job !== null || robustness.isStarting}
          onAgain={robustness.start}
        />
      )}
    </>
  )
}

function Invitation({
  isBusy,
  wasCancelled,
  onStart,
}: {
  isBusy: boolean
  wasCancelled: boolean
  onStart: () => void
}) {
  return (
    <Card>
      <div className={classes.invitation}>
        <IconShieldCheck size={24} stroke={1.6} aria-hidden />
        <div>
          <h3 className={classes.question}>Would I believe this?</h3>
          <p className={classes.text}>
            {wasCancelled ? 'The checks were cancelled. ' : ''}
            Up to fifteen checks, those that the strategy allows, trade the same decisions under other conditions and
            resample past and future: luck, costs, start and rebalance day, settings nearby, late orders, missed days,
            crises, regimes, single assets. They end in one verdict with its reasons.
          </p>
        </div>
        <Button onClick={onStart} loading={isBusy}>
          Run robustness checks
        </Button>
      </div>
    </Card>
  )
}

interface ProgressProps {
  note: string
  fraction: number | null
  isCancelling: boolean
  onCancel: () => void
}

function Progress({ note, fraction, isCancelling, onCancel }: ProgressProps) {
  return (
    <Card>
      <div className={classes.progress}>
        <b>{isCancelling ? 'Cancelling...' : 'Checking...'}</b>
        <output className={`${classes.step} tabular`}>{note}</output>
        <Button variant="default" disabled={isCancelling} onClick={onCancel}>
          Cancel checks
        </Button>
        <progress
          className={classes.meter}
          aria-label="Progress of the robustness checks"
          max={1}
          {...(fraction === null ? {} : { value: fraction })}
        />
      </div>
    </Card>
  )
}

interface BoardProps {
  board: RobustnessBoard
  /** The result is of made-up prices: a verdict about them says nothing about a real market. */
  synthetic: boolean
  isBusy: boolean
  onAgain: () => void
}

function BoardOnShow({ board, synthetic, isBusy, onAgain }: BoardProps) {
  const shown = board.checks.filter(({ details }) => details !== null)
  const absent = absentOf(board.checks)
  return (
    <>
      {board.changed_series !== null && board.changed_series.length > 0 && (
        <Banner
          kind="warning"
          text="The data has changed since this result"
          detail={`${board.changed_series.join(', ')}: the checks use the rows as they are now. Run the backtest again to compare like with like.`}
        />
      )}
      <VerdictCard board={board} synthetic={synthetic} isBusy={isBusy} onAgain={onAgain} />
      <div className={classes.board}>
        {shown.map((check) => (
          <CheckCard key={check.key} check={check} />
        ))}
      </div>
      {absent.length > 0 && (
        <Card title="Not available" hint="Checks that say nothing about this result, and why">
          <ul className={classes.absent}>
            {absent.map(({ label, reason }) => (
              <li key={label}>
                <b>{label}</b> n/a because {reason}.
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

const ICONS = { good: IconCircleCheck, caution: IconAlertTriangle, bad: IconCircleX, unknown: IconAlertTriangle }

function VerdictCard({ board, synthetic, isBusy, onAgain }: BoardProps) {
  const { verdict } = board
  const seconds = formatNumber(board.seconds, { decimals: 1 })
  return (
    <section className={classes.verdict} aria-labelledby="robustness-verdict">
      <div className={classes.summary}>
        <p className={classes.kicker}>
          Would I believe this?
          <HowComputed of="the verdict" term="Robustness board">
            It looks genuine when every test against luck that applies is passed, nothing fails, and at most a third of
            the checks are cautions. Two failures, or one of a test against luck or of the future, and it is not to be
            trusted yet. Where luck cannot be tested, nothing can be told. Only the resampled future has cash flows; the
            other checks leave them out, also after they used an account up. {BOARD_POWER}
          </HowComputed>
        </p>
        <h3 className={classes.words} id="robustness-verdict" data-tone={verdict.verdict}>
          {verdict.words}
        </h3>
        {synthetic && <SourceBadge synthetic />}
        <p className={classes.text}>{verdict.sentence}</p>
        <ul className={`${classes.totals} tabular`}>
          {totalsOf(verdict).map(({ tone, text }) => {
            const Glyph = ICONS[tone]
            return (
              <li key={tone} data-tone={tone}>
                <Glyph size={15} stroke={1.8} aria-hidden />
                {text}
              </li>
            )
          })}
        </ul>
        <p className={`${classes.key} tabular`}>
          Seed {board.seed} · computed in {seconds} s · data {board.fingerprint.slice(0, 8)}
        </p>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          disabled={isBusy}
          onClick={onAgain}
        >
          Run again
        </Button>
      </div>
      <div className={classes.reasons}>
        <CheckList
          checks={reasonsOf(board.checks).map(({ judgement }) => ({
            title: judgement.words,
            tone: judgement.verdict,
            word: TONE_WORDS[judgement.verdict],
            sentence: judgement.sentence,
          }))}
        />
      </div>
    </section>
  )
}

function CheckCard({ check }: { check: RobustnessCheck }) {
  const { label, explain, summary, judgement, figures, details } = check
  const isWide = details?.kind === 'table'
  return (
    <Card
      title={
        <>
          {label} <HowComputed of={label}>{explain}</HowComputed>
        </>
      }
      hint={summary}
      actions={
        judgement &&
        judgement.verdict !== 'unknown' && (
          <span className={classes.tag} data-tone={judgement.verdict}>
            {TONE_WORDS[judgement.verdict]}
          </span>
        )
      }
    >
      <div className={isWide ? undefined : classes.body}>{details && <Plot details={details} label={label} />}</div>
      {figures.length > 0 && (
        <div className={classes.figures}>
          <Facts>
            {figures.map(({ label: name, value, unit, reason }) => (
              <Fact key={name} label={name} {...(reason !== null && { how: reason })}>
                {formatValue(value, unit)}
              </Fact>
            ))}
          </Facts>
        </div>
      )}
    </Card>
  )
}
