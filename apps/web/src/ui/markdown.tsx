import { Lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './markdown.module.css'
import { numeric, Table } from './table.tsx'

/** Draws a fenced block of a language of our own; undefined leaves it as code. */
export type DrawBlock = (language: string, text: string) => ReactNode | undefined

interface MarkdownProps {
  text: string
  drawBlock?: DrawBlock
}

/**
 * Markdown as elements of our own making: HTML in it is shown as the text it is, pictures are not loaded, and a link
 * leads to a screen or to the web, nowhere else.
 */
export function Markdown({ text, drawBlock }: MarkdownProps) {
  return <div className={classes.markdown}>{blocks(new Lexer({ gfm: true }).lex(text), drawBlock)}</div>
}

// Tokens have no identity of their own, and their order never changes.
const blocks = (tokens: readonly Token[], draw: DrawBlock | undefined): ReactNode[] =>
  // oxlint-disable-next-line react/no-array-index-key
  tokens.map((token, index) => <Fragment key={index}>{block(token, draw)}</Fragment>)

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

function block(token: Token, draw: DrawBlock | undefined): ReactNode {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is none of these is shown as it was written
  const known = token as BlockToken
  switch (known.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return <h3>{inline(known.tokens)}</h3>
    case 'paragraph':
      return <p>{inline(known.tokens)}</p>
    case 'code':
      return codeBlock(known, draw)
    case 'blockquote':
      return <blockquote>{blocks(known.tokens, draw)}</blockquote>
    case 'hr':
      return <hr />
    case 'list':
      return list(known, draw)
    case 'table':
      return table(known)
    case 'text':
      return known.tokens ? inline(known.tokens) : decoded(known.text)
    default:
      return <p>{token.raw}</p>
  }
}

function codeBlock({ lang = '', text }: Tokens.Code, draw: DrawBlock | undefined): ReactNode {
  return (
    draw?.(lang, text) ?? (
      <pre>
        <code>{text}</code>
      </pre>
    )
  )
}

function list({ ordered, start, items }: Tokens.List, draw: DrawBlock | undefined): ReactNode {
  const rows = items.map(({ tokens, raw }, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li key={`${index} ${raw}`}>{blocks(tokens, draw)}</li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
}

function table({ header, rows }: Tokens.Table): ReactNode {
  const align = (cell: Tokens.TableCell) => (cell.align === 'right' ? numeric : '')
  /* oxlint-disable react/no-array-index-key -- see above */
  return (
    <Table label={header.map(({ text }) => text).join(', ')}>
      <thead>
        <tr>
          {header.map((cell, column) => (
            <th key={column} scope="col" className={align(cell)}>
              {inline(cell.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column} className={align(cell)}>
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
