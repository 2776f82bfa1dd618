import { Lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './markdown.module.css'
import { atRight, numeric, Table } from '../table/table.tsx'

/** Draws a fenced block of a language of our own; undefined leaves it as code. */
type DrawBlock = (language: string, text: string) => ReactNode | undefined
/** Draws a link that leads to a place of our own; undefined leaves it to be a link, or plain words. */
type DrawLink = (href: string, words: ReactNode) => ReactNode | undefined
/** Draws a picture of our own; undefined leaves its words. */
type DrawPicture = (href: string, words: string) => ReactNode | undefined

interface MarkdownProps {
  text: string
  /** Distinguishes its tables from those of other texts on the page, for screen readers. */
  name: string
  drawBlock?: DrawBlock
  drawLink?: DrawLink
  drawPicture?: DrawPicture
  /** Where a text has headings of other levels around it. */
  headingAs?: 'h3' | 'h5'
}

interface Drawn {
  readonly block: DrawBlock | undefined
  readonly link: DrawLink | undefined
  readonly picture: DrawPicture | undefined
  readonly Heading: 'h3' | 'h5'
}

interface Place {
  readonly name: string
  readonly draw: Drawn
}

/**
 * Markdown as elements of our own making: HTML in it is shown as the text it is, pictures are not loaded unless the
 * caller draws them, and a link leads to a screen or to the web, nowhere else.
 */
export function Markdown({ text, name, drawBlock, drawLink, drawPicture, headingAs = 'h3' }: MarkdownProps) {
  const draw = { block: drawBlock, link: drawLink, picture: drawPicture, Heading: headingAs }
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
      return <place.draw.Heading>{inline(known.tokens, place.draw)}</place.draw.Heading>
    case 'paragraph':
      return <p className={isAside(known) ? classes.aside : ''}>{inline(known.tokens, place.draw)}</p>
    case 'code':
      return codeBlock(known, place.draw.block)
    case 'blockquote':
      return <blockquote>{blocks(known.tokens, place)}</blockquote>
    case 'hr':
      return <hr />
    case 'list':
      return list(known, place)
    case 'table':
      return table(known, place)
    case 'text':
      return known.tokens ? inline(known.tokens, place.draw) : decoded(known.text)
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

function table({ header, rows }: Tokens.Table, { name, draw }: Place): ReactNode {
  /* oxlint-disable react/no-array-index-key -- see above */
  return (
    <Table label={`${name}: ${header.map(({ text }) => text).join(', ')}`}>
      <thead>
        <tr>
          {header.map((cell, column) => (
            <th key={column} scope="col" className={cell.align === 'right' ? atRight : ''}>
              {inline(cell.tokens, draw)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column} className={cell.align === 'right' ? numeric : ''} data-sign={signOf(cell.text)}>
                {inline(cell.tokens, draw)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
  /* oxlint-enable react/no-array-index-key */
}

/** Whether a text is money or a return that went up or down, as its sign says. */
function signOf(text: string): 'gain' | 'loss' | undefined {
  const sign = /^([+−])(?:\$[\d,.]+|[\d,.]+%)$/.exec(text)?.[1]
  if (!sign) return undefined
  return sign === '+' ? 'gain' : 'loss'
}

const inline = (tokens: readonly Token[], draw: Drawn): ReactNode[] =>
  // oxlint-disable-next-line react/no-array-index-key
  tokens.map((token, index) => <Fragment key={index}>{piece(token, draw)}</Fragment>)

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

function piece(token: Token, draw: Drawn): ReactNode {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  const known = token as InlineToken
  switch (known.type) {
    case 'strong':
      return <strong>{inline(known.tokens, draw)}</strong>
    case 'em':
      return <em>{inline(known.tokens, draw)}</em>
    case 'del':
      return <del>{inline(known.tokens, draw)}</del>
    case 'codespan':
      return <code>{known.text}</code>
    case 'br':
      return <br />
    case 'link':
      return link(known, draw)
    case 'image':
      return draw.picture?.(known.href, known.text) ?? known.text
    case 'escape':
      return known.text
    case 'text':
      return known.tokens ? inline(known.tokens, draw) : decoded(known.text)
    default:
      return token.raw
  }
}

function link({ href, tokens }: Tokens.Link, draw: Drawn): ReactNode {
  const words = inline(tokens, draw)
  return draw.link?.(href, words) ?? <SafeLink href={href}>{words}</SafeLink>
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
