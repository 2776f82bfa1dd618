import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Figure, MetricsStrip } from '../../ui/table/figure.tsx'
import { SourceBadge } from '../../ui/feedback/source-badge.tsx'
import { formatFitness, measureOf, measureWord } from './form/form.ts'
import { type Message, failedTo } from './messages.ts'
import { EvolutionChart, GenerationsCard } from './results/generations.tsx'
import classes from './run-progress-card.module.css'
import { currentGeneration, formatDuration, type Control, useControlRun } from './queries.ts'
import { ConfirmModal } from '../../ui/layout/confirm-modal.tsx'

interface RunProgressCardProps {
  run: OptimizationRun
  tell: (message: Message) => void
}

/** A run in progress: how far it is, how good it is so far, and the means to hold it or to end it. */
export function RunProgressCard({ run, tell }: RunProgressCardProps) {
  const measure = measureOf({ ...run.ga_parameters, ...run.optimization_config })
  const generations = run.ga_parameters.generations
  // The one under way, as the note below counts them.
  const generation = Math.min(currentGeneration(run.generation_history) + 1, generations)
  const isCancelling = run.status === 'cancel_requested'
  const { progress } = run
  return (
    <>
      <section className={classes.card} aria-labelledby="run-progress-title">
        <div className={classes.head}>
          <div className={classes.words}>
            <h2 className={classes.title} id="run-progress-title" aria-live="polite">
              In progress — Generation {generation} of {generations}
            </h2>
            {run.synthetic && <SourceBadge synthetic />}
            <p className={classes.note}>
              {isCancelling ? 'Cancelling...' : run.paused ? 'Paused. Results so far are kept.' : noteOf(run)}
            </p>
          </div>
          <RunControls run={run} tell={tell} />
        </div>
        <progress
          className={classes.bar}
          max={1}
          value={progress?.fraction ?? 0}
          aria-label={`Progress of run ${run.id}`}
        />
        <MetricsStrip>
          <Figure label="Best fitness" note={measureWord(measure)}>
            {formatFitness(measure, progress?.best_fitness ?? null)}
          </Figure>
          <Figure label="Average fitness" rank="second">
            {formatFitness(measure, progress?.avg_fitness ?? null)}
          </Figure>
          <Figure label="Evaluations" rank="second">
            {formatCount(progress?.evaluations ?? 0)}
          </Figure>
          <Figure label="Per second" rank="second">
            {formatRate(progress?.evaluations_per_second ?? null)}
          </Figure>
          <Figure label="Time left" rank="second">
            {isCancelling ? 'Ending' : run.paused ? 'Paused' : formatDuration(progress?.seconds_left ?? null)}
          </Figure>
        </MetricsStrip>
      </section>
      <Card title="Evolution" hint="Best and average fitness per generation so far">
        <EvolutionChart history={run.generation_history} generations={generations} measure={measure} />
      </Card>
      <GenerationsCard run={run} measure={measure} />
    </>
  )
}

/** The server's own note until there are figures to show. */
function noteOf({
  progress,
  generation_history,
  optimization_config: { nested_walk_forward },
}: OptimizationRun): string {
  const leave = 'You can leave this page: the run continues.'
  // The generations are those of the run's own search: how far the others are, the note alone tells.
  if (nested_walk_forward && progress?.note) return `${progress.note}. ${leave}`
  if (generation_history.length > 0) return leave
  return progress?.note || 'Waiting for its turn.'
}

const formatRate = (rate: number | null) => formatNumber(rate, { decimals: rate !== null && rate < 10 ? 1 : 0 })

interface RunControlsProps {
  run: OptimizationRun
  tell: (message: Message) => void
}

/** Holding a run loses nothing and is done at once; ending it is for good, so it asks. */
function RunControls({ run, tell }: RunControlsProps) {
  const control = useControlRun(String(run.id))
  const [isAsking, setAsking] = useState(false)
  const isOff = run.status === 'cancel_requested' || control.isPending
  const ask = (what: Control) =>
    control.mutate(what, {
      onError: (error) => tell(failedTo(`${what} run`, error)),
      onSettled: () => setAsking(false),
    })
  return (
    <div className={classes.controls}>
      {run.paused ? (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          disabled={isOff}
          onClick={() => ask('resume')}
        >
          Resume
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={14} aria-hidden />}
          disabled={isOff}
          onClick={() => ask('pause')}
        >
          Pause
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconX size={14} aria-hidden />}
        disabled={isOff}
        onClick={() => setAsking(true)}
      >
        Cancel run
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={`Cancel run #${run.id} on ${run.target_asset}?`}
        text={lossOf(run)}
        confirmLabel="Cancel run"
        cancelLabel="Keep the run"
        busy={control.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={() => ask('cancel')}
      />
    </div>
  )
}

function lossOf({ paused, ga_parameters: { generations }, generation_history }: OptimizationRun): string {
  const done = currentGeneration(generation_history)
  const kept = done === 0 ? 'It has no results yet.' : `What it found in ${done} of ${generations} generations is kept.`
  return `The run ends permanently. ${kept}${paused ? '' : ' To continue later, pause it instead.'}`
}
