import { Button } from '@mantine/core'
import {
  type ListType,
  type TickerList,
  createTickerList,
  deleteTickerList,
  type TickerListBody,
  updateTickerList,
} from '@tradewright/contract/ticker-lists'
import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useOfferUndo } from '../../../deletions/use-offer-undo.ts'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { showToast } from '../../../ui/feedback/toasts/toasts.tsx'
import { failedTo, listNotSaved, type Message, refused } from '../messages.ts'
import { parseTickers, tickersText, isEdited, NOTHING_TO_DELETE, refusalOfList } from '../form/form.ts'
import { useTickerLists, TICKER_LISTS_KEY } from '../../../strategy-form/tickers/ticker-queries.ts'
import classes from './ticker-list-widget.module.css'
import { call } from '../../../lib/http.ts'

interface TickerListWidgetProps {
  type: ListType
  /** `Target lists`, `Feature lists`. */
  title: string
  /** The tickers as they are typed, which a list keeps and brings back. */
  text: string
  listId: string
  onChange: (listId: string, text: string) => void
  tell: (message: Message | null) => void
}

/** Saved lists of tickers, for the text field above it. */
export function TickerListWidget({ type, title, text, listId, onChange, tell }: TickerListWidgetProps) {
  const lists = (useTickerLists().data ?? []).filter(({ list_type }) => list_type === type)
  const chosen = lists.find(({ id }) => String(id) === listId)
  const [typedName, setTypedName] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const save = useSaveList()
  const remove = useDeleteList()
  const offerUndo = useOfferUndo()
  // The chosen list's own name, until another one is typed.
  const name = typedName ?? chosen?.name ?? ''

  const choose = (id: string) => {
    const list = lists.find((one) => String(one.id) === id)
    setTypedName(null)
    onChange(id, list ? tickersText(list.tickers) : text)
  }

  const saveAs = (what: 'create' | 'update') => {
    const id = what === 'update' ? (chosen ? listId : '') : ''
    const refusal = refusalOfList({ type, text, name, updated: what === 'update' ? { id } : null })
    tell(refusal === null ? null : refused(refusal))
    if (refusal !== null) return
    save.mutate(
      { id, body: { name, list_type: type, tickers: parseTickers(text) } },
      {
        onSuccess: (list: TickerList) => {
          setTypedName(null)
          onChange(String(list.id), tickersText(list.tickers))
          showToast({ kind: 'success', text: `List “${list.name}” saved` })
        },
        onError: (error) => tell(listNotSaved(what, error)),
      },
    )
  }

  const confirmed = () =>
    remove.mutate(listId, {
      onSuccess: () => {
        setTypedName(null)
        onChange('', text)
        offerUndo(`list “${chosen?.name ?? ''}”`, [{ kind: 'ticker-list', id: listId }])
      },
      onError: (error) => tell(failedTo('delete list', error)),
      onSettled: () => setAsking(false),
    })

  return (
    <fieldset className={classes.widget}>
      <legend>{title}</legend>
      <div className={classes.fields}>
        <SelectField
          label={`${title}: saved list`}
          hideLabel
          value={chosen ? listId : ''}
          options={[
            { value: '', label: lists.length === 0 ? 'No saved lists' : 'Choose a list...' },
            ...lists.map((list) => ({
              value: String(list.id),
              label: list === chosen && isEdited(list, text) ? `Edited: ${list.name}` : list.name,
            })),
          ]}
          onChange={choose}
        />
        <TextField
          label={`${title}: list name`}
          hideLabel
          placeholder="List name"
          value={name}
          onChange={setTypedName}
        />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" size="compact-sm" loading={save.isPending} onClick={() => saveAs('create')}>
          Save as new
        </Button>
        <Button variant="default" size="compact-sm" disabled={save.isPending} onClick={() => saveAs('update')}>
          Update
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            tell(chosen ? null : refused(NOTHING_TO_DELETE))
            if (chosen) setAsking(true)
          }}
        >
          Delete
        </Button>
      </div>
      <ConfirmModal
        opened={isAsking}
        title={`Delete list “${chosen?.name ?? ''}”?`}
        text="Are you sure you want to delete this list? Runs that used it keep their tickers."
        confirmLabel="Delete list"
        busy={remove.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={confirmed}
      />
    </fieldset>
  )
}

interface Saving {
  /** Empty: a new list. */
  id: string
  body: TickerListBody
}

function useSaveList() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, body }: Saving) => {
      const answer = id ? call(updateTickerList, { params: { id }, body }) : call(createTickerList, { body })
      return (await answer).list
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: TICKER_LISTS_KEY }),
  })
}

function useDeleteList() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteTickerList, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: TICKER_LISTS_KEY }),
  })
}
