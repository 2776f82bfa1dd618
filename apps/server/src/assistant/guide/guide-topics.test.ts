import { describe, expect, it } from 'vitest'
import { readGuide } from '../../adapters/guide/guide-files.ts'
import { joinAreas, type Topic, type Caller } from '../action.ts'
import { answerBuiltIn } from '../converse.ts'
import { backtestTopics } from '../topics/backtest-topics.ts'
import { dataQualityTopic, marketTopics } from '../topics/market-topics.ts'
import { deploymentTopic, portfolioTopic } from '../topics/account-topics.ts'
import { featureTopics, strategyTopics } from '../topics/strategy-topics.ts'
import { leadingIndicatorTopic, optimizerTopic } from '../topics/optimizer-topics.ts'
import { guideSearch, guideAreas } from './guide-topics.ts'

const caller: Caller = { userId: 1, username: 'maria', signal: new AbortController().signal }

/** Which of them recognises a question is all that is asked here: each answers with its example. */
// oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unsafe-type-assertion
const noTools = {} as any
const daysAgo = () => '2024-01-01'
const ofOwnData: Topic[] = [
  optimizerTopic(noTools),
  leadingIndicatorTopic(noTools),
  deploymentTopic(noTools),
  portfolioTopic(noTools),
  dataQualityTopic(noTools),
  ...backtestTopics(noTools),
  ...strategyTopics(noTools).topics,
  featureTopics(noTools).topic,
  ...marketTopics(noTools, daysAgo).topics,
].map((topic) => Object.assign(topic, { answer: async () => `own data: ${topic.example}` }))

const { first, last } = guideAreas(guideSearch(readGuide))
const abilities = joinAreas([first, { tools: [], topics: ofOwnData }, last])
const ask = (question: string) => answerBuiltIn(abilities, caller, question)

describe('the built-in assistant', () => {
  it.each([
    ['What is the Sharpe ratio?', '**Sharpe ratio**: Return above cash'],
    ['what does CAGR mean', '**CAGR**: Growth per year'],
    ['Explain walk-forward', '**Walk-forward**: Train on a window'],
    ['What is a good Sharpe ratio?', '**Sharpe ratio**'],
    ['What are features?', '**Feature**'],
    ['What is a deployment?', '**Deployment**'],
    ['Define max drawdown', '**Drawdown**'],
    ['deflated sharpe', '**Deflated Sharpe ratio**'],
    ['What is a Sharpe ratio above 2 worth?', '**Sharpe ratio**'],
    ['Is a Sharpe ratio of 1.5 good?', '**Sharpe ratio**'],
    ['How is CAGR calculated?', '**CAGR**'],
    ['What is PBO?', '**Probability of overfitting**'],
    ['What is TWR?', '**Time-weighted return**'],
    ['What is a random forest?', '**Random forest**'],
    ['What is HFEA?', '**HFEA**'],
    ['What is an expense ratio?', '**Expense ratio**'],
    ['What is the difference between Sharpe and Sortino?', '**Sortino ratio**'],
    ['Sharpe vs Sortino', '**Sharpe ratio**'],
    ['What is leverage decay?', '**Volatility decay**'],
    ['What is 60/40?', '**60/40**'],
    ['What is the All Weather portfolio?', '**All Weather**'],
    ['What is a ticker?', '**Ticker**'],
    ['What is a walk-forward window?', '**Walk-forward**'],
    ['What is HRP?', '**HRP**'],
    ['What is dual momentum?', '**Dual momentum**'],
    ['What is the replay?', '**Replay**'],
    ['What is walk-forward testing good for?', '**Walk-forward**'],
    ['What does "Synthetic sample data" mean?', '**Synthetic data**'],
    ['What is a moving average?', '**Moving average**'],
    ['What is RSI?', '**RSI**'],
    ['What is DGS10?', '**DGS10**'],
    ['What is the gold layer?', '**Bronze**'],
    ['What are transforms?', '**Transform**'],
    ['What are fractional shares?', '**Fractional shares**'],
    ['What is an API key?', '**API key**'],
  ])('explains a term from the glossary: %s', async (question, start) => {
    expect(await ask(question)).toContain(start)
  })

  it.each([
    ['How do I get real data?', '**Will I get real data?**'],
    ['How do I save a backtest?', '**Save backtest**'],
    ['Why is it still synthetic?', '**Why is it still synthetic?**'],
    ['How can I use leverage?', 'SPY?L=2'],
    ['How do I lever SPY?', 'SPY?L=2'],
    ['Why does my deployment not trade on Sunday?', '**Why does it not trade at weekends?**'],
    ['How do I import my own CSV file?', 'Import CSV'],
    ['Where can I connect my broker?', '/help/settings#connect-a-broker'],
    ['How do I delete my account?', 'Delete account'],
    ['How do I deploy a strategy?', '**Deploy Strategy**'],
    ['Can I trade with real money?', '**Can I trade with real money?**'],
    ['How do I compare with a table of testfol.io?', 'testfol.io'],
    ['leverage', '**Leverage**'],
    ['import csv', 'CSV'],
    ['How can I import my own prices?', 'press **Import CSV** and choose the file'],
    ['What does the optimizer do?', '**Run optimization**'],
    ['What happens when I pause a deployment?', 'until **Resume**'],
    ['How often is a deployment checked?', '**Continuous**'],
    ['What is the drift of a deployment?', '**drift**'],
    ['How are trades filled?', 'at the open after the decision'],
    ['Where do I see my trades?', '**Trades**'],
    ['What is the market data source?', 'Yahoo Finance'],
    ['What markets can I trade?', 'US stocks'],
    ['Can I trade options?', 'Options, futures and currencies cannot'],
    ['Can I short a stock?', 'negative percentage'],
    ['Which brokers are supported?', 'Kraken'],
    ['How much does it cost?', 'open source'],
    ['Is my API key safe?', 'encrypted'],
    ['How do I rebalance monthly?', '**Monthly**'],
    ['How do I compare two portfolios?', '**Add portfolio**'],
    ['How do I add a stop loss?', '**Maximum drawdown**'],
    ['Can I use intraday data?', '15-minute'],
    ['How do I get alerts by email?', '**Alerts**'],
    ['How do I reset my password?', 'no reset by e-mail'],
    ['How do I use dark mode?', 'sun or moon'],
    ['What keyboard shortcuts are there?', '**Ctrl-/**'],
    ['Why is accuracy not applicable?', 'predict nothing'],
    ['Why did my backtest start in 2003?', 'youngest of its tickers'],
    ['Why did my ML strategy lose to SPY?', 'no better than the **base rate**'],
    ['Is Tradewright free?', 'open source'],
    ['How can I lose money with 60/40?', 'stocks and bonds can fall together'],
    ['How risky is 60/40?', 'stocks and bonds can fall together'],
    ['Can I lose money?', 'Every strategy can lose'],
    ['How do I start?', 'Press **Run backtest** on **Home**'],
    ['What should I do first?', 'Press **Run backtest** on **Home**'],
    ['Which tickers can I use?', 'Those of Yahoo Finance'],
    ['How far back does the data go?', 'SPY since 1993'],
    ['Does it include dividends?', 'Dividends are reinvested'],
    ['Are fees included?', 'Trading cost'],
    ['How long does a backtest take?', 'seconds to a minute'],
    ['Why are there no orders?', 'Common reasons: the market is closed'],
    ['How do I search for a ticker?', 'symbol or name'],
    ['How do I make a ticker list?', 'under a name'],
    ['How do I write rules?', '/help/rules'],
    ['How do I use the command palette?', '**Ctrl-K**'],
    ['Where is the glossary?', 'glossary'],
    ['Does it work offline?', 'synthetic sample data'],
    ['How do I back up?', '`npm run backup`'],
    ['How do I share a result with a friend?', '**Share**'],
    ['Where are my results after I close the browser?', '**Recent runs**'],
    ['How do I export to Excel?', '**CSV**'],
    ['How do I change the benchmark?', '**Reference ticker**'],
    ['Can I use Bitcoin?', 'BTC-USD'],
    ['How do I add crypto?', 'BTC-USD'],
    ['How much money should I start with?', '$100,000'],
    ['How do I reset the paper account?', '**Delete**'],
    ['How many generations should I use?', 'by luck'],
    ['How do I rebalance only when weights drift?', '**Rebalance band**'],
    ['How do I set commissions?', '**Commission per trade**'],
    ['Can I backtest with monthly contributions?', '**Cashflow**'],
    ['How do I simulate withdrawals in retirement?', '**Cashflow**'],
    ['How do I schedule a data collection?', '**Create Job**'],
    ['How do I use RSI?', 'feature'],
    ['Does it work with Interactive Brokers?', 'Alpaca for US stocks'],
    ['Do I need an API key?', 'No.'],
    ['Is there an API?', '/help/scripts'],
    ['What should I invest in?', 'no advice'],
    ['Is this financial advice?', 'no advice'],
    ['How do I add a second user?', '`npm run invite`'],
    ['How do I update Tradewright?', 'newer version'],
    ['Can I run it on a server?', '`HOST`'],
    ['Does it work on my phone?', 'phone'],
    ['Why is my deployment not ready?', 'no account'],
    ['Why was my order rejected?', 'buying power'],
    ['Should I use random forest or gradient boosting?', 'Random Forest'],
    ['Why is the chart empty?', 'second day'],
    ['Can I connect TradingView alerts?', 'External signal'],
    ['How long is the history of BTC-USD?', '**data since**'],
  ])('answers from the guide: %s', async (question, part) => {
    const answer = await ask(question)
    expect(answer).toContain(part)
    expect(answer).not.toContain('did not understand')
    expect(answer).not.toContain('.md)')
  })

  it.each([
    'Will Tesla go up tomorrow?',
    'How do I bake bread?',
    'Write me a poem',
    'Who won the world cup?',
    'Why are my backtests so slow on Tuesdays?',
    'Tell me a joke about brokers',
    'asdf qwer',
  ])('admits that it does not understand: %s', async (question) => {
    const answer = await ask(question)
    expect(answer).toContain('I did not understand that question')
    expect(answer).not.toContain('own data:')
    expect(answer).toContain('"label":"What can you do?"')
  })

  it.each([
    ['What is my best strategy?', 'What is my best strategy?'],
    ['List my strategies', 'List my strategies'],
    ['Explain my latest backtest', 'Explain my latest backtest'],
    ['How are my deployments doing?', 'How are my deployments doing?'],
    ['How is the market?', 'How is the market?'],
    ['How are SPY and TLT correlated?', 'How are SPY and TLT correlated?'],
    ['What is the price of GLD?', 'What is the price of GLD?'],
    ['Why did my portfolio fall?', 'What moved my portfolio?'],
    ['How good is my stored data?', 'How good is my stored data?'],
    ['Which features lead BTC?', 'Which features lead BTC?'],
    ['How did GLD do?', 'What is the price of GLD?'],
    ['price of gold', 'What is the price of GLD?'],
    ['Compare Core and Growth', 'Compare my last two backtests'],
  ])('leaves questions about own data to their topics: %s', async (question, example) => {
    expect(await ask(question)).toContain(`own data: ${example}`)
  })

  it('gives no advice', async () => {
    expect(await ask('Should I sell everything?')).toContain('no investment advice')
  })

  it.each(['What can you do?', 'hello', 'Hi!', 'Good morning'])('says what it can answer: %s', async (words) => {
    const answer = await ask(words)
    expect(answer).toContain('- What is the Sharpe ratio?')
    expect(answer).toContain('- What is my best strategy?')
  })

  it('takes thanks for what they are', async () => {
    expect(await ask('Thanks!')).toContain('You are welcome')
  })

  it('links to the help panel, and leaves no link between files', async () => {
    expect(await ask('How do I save a backtest?')).toContain('(/help/backtest-studio#save-a-strategy-or-a-backtest)')
  })
})
