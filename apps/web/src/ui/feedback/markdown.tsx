import { Lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './markdown.module.css'
import { atRight, numeric, Table } from '../table/table.tsx'

/** Draws a fenced block of a language of our own; undefined leaves it as code. */
type DrawBlock = (language: string, text: string) => ReactNode | undefined

interface MarkdownProps {
  text: string
  /** Distinguishes its tables from those of other texts on the page, for screen readers. */
  name: string
  drawBlock?: DrawBlock
}

interface Place {
  readonly name: string
  readonly draw: DrawBlock | undefined
}

/**
 * Markdown as elements of our own making: HTML in it is shown as the text it is, pictures are not loaded, and a link
 * leads to a screen or to the web, nowhere else.
 */
export function Markdown({ text, name, drawBlock: draw }: MarkdownProps) {
  return <div className={classes.markdown}>{blocks(new Lexer({ gfm: true }).lex(text), { name, draw })}</div>
}

// Tokens have no identity of their own, and their order never changes.
const blocks = (tokens: readonly Token[], { name, draw }: Place): ReactNode[] =>
  tokens.map((token, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{block(token, { name: `${name}, part ${index + 1}`, draw })}</Fragment>
  ))

type BlockToken =
  | Tokens.Space
  | Tokens.Def
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.Hr
  | Tokens.List
  | Tokens.Table
  | Tokens.Text

function block(token: Token, place: Place): ReactNode {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is none of these is shown as it was written
  const known = token as BlockToken
  switch (known.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return <h3>{inline(known.tokens)}</h3>
    case 'paragraph':
      return <p className={isAside(known) ? classes.aside : ''}>{inline(known.tokens)}</p>
    case 'code':
      return codeBlock(known, place.draw)
    case 'blockquote':
      return <blockquote>{blocks(known.tokens, place)}</blockquote>
    case 'hr':
      return <hr />
    case 'list':
      return list(known, place)
    case 'table':
      return table(known, place)
    case 'text':
      return known.tokens ? inline(known.tokens) : decoded(known.text)
    default:
      return <p>{token.raw}</p>
  }
}

/** A paragraph that is written aside from beginning to end is small print. */
const isAside = ({ tokens }: Tokens.Paragraph): boolean => tokens.length === 1 && tokens[0]?.type === 'em'

function codeBlock({ lang = '', text }: Tokens.Code, draw: DrawBlock | undefined): ReactNode {
  return (
    draw?.(lang, text) ?? (
      <pre>
        <code>{text}</code>
      </pre>
    )
  )
}

function list({ ordered, start, items }: Tokens.List, place: Place): ReactNode {
  const rows = items.map(({ tokens, raw }, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li key={`${index} ${raw}`}>{blocks(tokens, { ...place, name: `${place.name}, item ${index + 1}` })}</li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
}

function table({ header, rows }: Tokens.Table, { name }: Place): ReactNode {
  /* oxlint-disable react/no-array-index-key -- see above */
  return (
    <Table label={`${name}: ${header.map(({ text }) => text).join(', ')}`}>
      <thead>
        <tr>
          {header.map((cell, column) => (
            <th key={column} scope="col" className={cell.align === 'right' ? atRight : ''}>
              {inline(cell.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column} className={cell.align === 'right' ? numeric : ''} data-sign={signOf(cell.text)}>
                {inline(cell.tokens)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
  /* oxlint-enable react/no-array-index-key */
}

/** Of money and returns, which say it by their sign as well. */
function signOf(text: string): 'gain' | 'loss' | undefined {
  const sign = /^([+−])(?:\$[\d,.]+|[\d,.]+%)$/.exec(text)?.[1]
  if (!sign) return undefined
  return sign === '+' ? 'gain' : 'loss'
}

const inline = (tokens: readonly Token[]): ReactNode[] =>
  // oxlint-disable-next-line react/no-array-index-key
  tokens.map((token, index) => <Fragment key={index}>{piece(token)}</Fragment>)

type InlineToken =
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Link
  | Tokens.Image
  | Tokens.Escape
  | Tokens.Text

function piece(token: Token): ReactNode {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  const known = token as InlineToken
  switch (known.type) {
    case 'strong':
      return <strong>{inline(known.tokens)}</strong>
    case 'em':
      return <em>{inline(known.tokens)}</em>
    case 'del':
      return <del>{inline(known.tokens)}</del>
    case 'codespan':
      return <code>{known.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <SafeLink href={known.href}>{inline(known.tokens)}</SafeLink>
    case 'image':
      return known.text
    case 'escape':
      return known.text
    case 'text':
      return known.tokens ? inline(known.tokens) : decoded(known.text)
    default:
      return token.raw
  }
}

function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  if (/^\/(?!\/)/.test(href)) return <Link to={href}>{children}</Link>
  if (!/^https?:\/\//i.test(href)) return children
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', '#39': "'" }

const decoded = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity)
