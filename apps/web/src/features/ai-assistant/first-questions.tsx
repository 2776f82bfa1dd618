import { Button } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import classes from './ai-assistant-screen.module.css'

/** Each answered with and without a connected model. */
const QUESTIONS = [
  'What is my best strategy?',
  'Compare my last two backtests',
  'What moved my portfolio?',
  'What if I held 60% SPY and 40% TLT?',
]

/** Before the first message. */
export function FirstQuestions({ onAsk }: { onAsk: (question: string) => void }) {
  return (
    <EmptyState
      icon={IconSparkles}
      title="What would you like to know?"
      text="Ask in your own words, or start with one of these."
      action={QUESTIONS.map((question) => (
        <Button key={question} className={classes.question ?? ''} variant="default" onClick={() => onAsk(question)}>
          {question}
        </Button>
      ))}
    />
  )
}
