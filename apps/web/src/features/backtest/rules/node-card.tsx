import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import { Button, Menu } from '@mantine/core'
import { IconCopy, IconDots, IconPlus } from '@tabler/icons-react'
import { mayLeaveRest } from '@tradewright/core/rules/describe'
import { titleOf } from '@tradewright/core/rules/tree'
import { memo, useEffect, useRef, useState } from 'react'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { FieldError } from '../../../ui/form/field-error.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { useAnswer, useEditing } from './editing.ts'
import { KindField } from './kind-fields.tsx'
import { kindsOf, type RuleKind, ruleKinds, type RuleNode, type SlotKind } from './kinds.ts'
import classes from './rules.module.css'
import { cardsIn, pathKey } from './tree-edits.ts'
import { pathOf } from './use-rules-editing.ts'

/** Sentences by the path of the card they are shown at. */
export type CardProblems = ReadonlyMap<string, readonly string[]>

interface NodeCardProps {
  node: RuleNode
  path: string
  slot: SlotKind
  /** `Then`, `Part 2`, or the share of a part: `60%`. */
  label: string
  /** The card is inside a pick, whose features need no ticker. */
  isByMember: boolean
  problems: CardProblems
}

/** A block or a condition, with those inside it. Drawn anew only where it changed. */
export const NodeCard = memo(function NodeCard({ node, path, slot, label, isByMember, problems }: NodeCardProps) {
  const editing = useEditing()
  const [isNaming, setNaming] = useState(false)
  const name = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    // After the menu, which gives the focus back to its button when it closes.
    const timer = isNaming ? setTimeout(() => name.current?.querySelector('input')?.focus(), AFTER_MENU_MS) : undefined
    return () => clearTimeout(timer)
  }, [isNaming])
  const { family, fields, slots } = ruleKinds[node.kind]
  const sentences = problems.get(path) ?? []
  const answer = useAnswer(node.id)
  const title = titleOf(node)
  const inside = cardsIn(node, pathOf(path))
  const shareOf = (card: (typeof inside)[number], position: number): string => {
    if (card.slot.holds !== 'list') return card.slot.label
    if (node.kind === 'group' && node.weights.kind === 'fixed') return `${node.weights.pcts[position] ?? 0}%`
    if (family === 'condition') return position === 0 ? 'Where' : card.slot.label
    return `${card.slot.label} ${position + 1}`
  }
  // A card keeps what is typed in it when it moves; ids of an imported tree may be there twice.
  const keyOf = ({ id }: RuleNode, position: number) =>
    inside.filter((card) => card.node.id === id).length === 1 ? id : `${id} ${position}`
  const cardsOf = (key: string) =>
    inside
      .filter((card) => card.slot.key === key)
      .map((card, position) => (
        <NodeCard
          key={keyOf(card.node, position)}
          node={card.node}
          path={pathKey(card.path)}
          slot={card.slot}
          label={shareOf(card, position)}
          isByMember={isByMember || (card.slot.isByMember ?? false)}
          problems={problems}
        />
      ))
  const ownSlots = slots.filter((one) => one.family === 'condition')
  // A place for the rest only where there may be one.
  const hasRest = !isDividing(node) || node.rest !== undefined || mayLeaveRest(node)
  const blockSlots = slots.filter((one) => one.family === 'block' && (one.key !== 'rest' || hasRest))
  return (
    <div className={classes.node} data-family={family} data-tone={toneOf(slot)}>
      <fieldset
        className={classes.card}
        aria-label={`${label}: ${ruleKinds[node.kind].label}, ${title}`}
        data-invalid={sentences.length > 0}
        data-path={path}
        // Cards take the arrow keys, copy and paste; the editor around them says which.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <div className={classes.head}>
          <span className={classes.slot} data-tone={toneOf(slot)}>
            {label}
          </span>
          <span className={classes.kind}>
            <SelectField
              label={`Kind of ${title}`}
              hideLabel
              value={node.kind}
              options={kindsOf(family).map((kind) => ({ value: kind, label: ruleKinds[kind].label }))}
              onChange={(kind) => editing.changeKind(path, kind as RuleKind)}
            />
          </span>
          {isNaming ? (
            <span ref={name} className={classes.name} onBlur={() => setNaming(false)}>
              <TextField
                label={`Name of ${title}`}
                hideLabel
                value={node.name ?? ''}
                placeholder={titleOf({ id: node.id })}
                onChange={(text) => editing.change(path, renamed(node, text), 'name')}
              />
            </span>
          ) : (
            <span className={classes.title}>{title}</span>
          )}
          {answer && (
            <span className={classes.answer} data-true={answer.isTrue}>
              {answer.words}
            </span>
          )}
          <span className={classes.cardActions}>
            <IconButton icon={IconCopy} label={`Copy ${title}`} onClick={() => editing.act('copy', path)} />
            <CardMenu title={title} path={path} slot={slot} onRename={() => setNaming(true)} />
          </span>
        </div>
        {fields.map((field) => (
          <KindField
            key={field}
            name={field}
            node={node}
            isByMember={isByMember}
            onChange={(next, typed) => editing.change(path, next, typed)}
          />
        ))}
        {sentences.map((sentence) => (
          <p key={sentence} className={classes.problem}>
            <FieldError text={sentence} />
          </p>
        ))}
        {ownSlots.map((one) => (
          <div key={one.key} className={classes.own}>
            {cardsOf(one.key)}
            <AddMenu path={path} slot={one} isFilled={inside.some((card) => card.slot.key === one.key)} />
          </div>
        ))}
      </fieldset>
      {blockSlots.map((one) => (
        <div key={one.key} className={classes.inside}>
          {cardsOf(one.key)}
          <AddMenu path={path} slot={one} isFilled={inside.some((card) => card.slot.key === one.key)} />
        </div>
      ))}
    </div>
  )
})

const isDividing = (node: RuleNode) => node.kind === 'hold' || node.kind === 'pick' || node.kind === 'group'

const AFTER_MENU_MS = 40

const toneOf = ({ key }: SlotKind): 'yes' | 'no' | undefined =>
  key === 'yes' || key === 'enter' ? 'yes' : key === 'no' || key === 'exit' ? 'no' : undefined

function renamed(node: RuleNode, name: string): RuleNode {
  const { name: _, ...rest } = node
  return name === '' ? rest : { ...rest, name: name.slice(0, 100) }
}

interface AddMenuProps {
  path: string
  slot: SlotKind
  isFilled: boolean
}

/** Fills an empty place, or adds to a list. */
function AddMenu({ path, slot, isFilled }: AddMenuProps) {
  const editing = useEditing()
  if (slot.holds === 'one' || (slot.holds === 'optional' && isFilled)) return null
  return (
    <Menu position="bottom-start" transitionProps={{ duration: 0 }} width={300}>
      <Menu.Target>
        <Button
          className={classes.add ?? ''}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          {slot.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kindsOf(slot.family).map((kind) => (
          <Menu.Item key={kind} onClick={() => editing.add(path, slot, kind)}>
            <span className={classes.itemLabel}>{ruleKinds[kind].label}</span>
            <span className={classes.itemHint}>{ruleKinds[kind].hint}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => editing.pasteInto(path, slot)}>Paste</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface CardMenuProps {
  title: string
  path: string
  slot: SlotKind
  onRename: () => void
}

function CardMenu({ title, path, slot, onRename }: CardMenuProps) {
  const { act, wrap } = useEditing()
  const wraps = kindsOf(slot.family).filter((kind) =>
    ruleKinds[kind].slots.some((one) => one.family === slot.family && one.holds !== 'optional'),
  )
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} width={240}>
      <Menu.Target>
        <button type="button" className={classes.more} aria-label={`More for ${title}`} title="More">
          <IconDots size={16} stroke={1.7} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onRename}>Rename</Menu.Item>
        <Menu.Item rightSection={<Key>Ctrl C</Key>} onClick={() => act('copy', path)}>
          Copy
        </Menu.Item>
        <Menu.Item rightSection={<Key>Ctrl D</Key>} onClick={() => act('duplicate', path)}>
          Duplicate
        </Menu.Item>
        <Menu.Item rightSection={<Key>Ctrl X</Key>} onClick={() => act('cut', path)}>
          Cut
        </Menu.Item>
        <Menu.Item rightSection={<Key>Ctrl V</Key>} onClick={() => act('paste', path)}>
          {slot.holds === 'list' ? 'Paste after' : 'Paste over'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item rightSection={<Key>Alt ↑</Key>} onClick={() => act('move up', path)}>
          Move up
        </Menu.Item>
        <Menu.Item rightSection={<Key>Alt ↓</Key>} onClick={() => act('move down', path)}>
          Move down
        </Menu.Item>
        {wraps.map((kind) => (
          <Menu.Item key={kind} onClick={() => wrap(path, kind)}>
            Wrap in “{ruleKinds[kind].label}”
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item color="red" rightSection={<Key>Del</Key>} onClick={() => act('delete', path)}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const Key = ({ children }: { children: string }) => <kbd className={classes.key}>{children}</kbd>
