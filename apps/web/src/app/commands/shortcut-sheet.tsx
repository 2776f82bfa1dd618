import { ContentModal } from '../../ui/layout/content-modal.tsx'
import classes from './shortcut-sheet.module.css'
import { isMac, keyNames, SHORTCUTS } from './shortcuts.ts'
import keysClasses from './keys.module.css'

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const onMac = isMac()
  const groups = Map.groupBy(SHORTCUTS, ({ group }) => group)
  return (
    <ContentModal opened size={440} title="Keyboard shortcuts" onClose={onClose}>
      {[...groups].map(([name, shortcuts]) => (
        <section key={name} className={classes.group}>
          <h3 className={classes.name}>{name}</h3>
          <dl className={classes.rows}>
            {shortcuts.map(({ deed, label, keys }) => (
              <div key={deed} className={classes.row}>
                <dt>{label}</dt>
                <dd>
                  <Keys names={keyNames(keys, onMac)} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={classes.note}>Keys without {onMac ? '⌘' : 'Ctrl'} do nothing while you type in a field.</p>
    </ContentModal>
  )
}

/** Keys as they are printed on the keyboard. */
export function Keys({ names }: { names: readonly string[] }) {
  return (
    <span className={keysClasses.keys}>
      {names.map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </span>
  )
}
