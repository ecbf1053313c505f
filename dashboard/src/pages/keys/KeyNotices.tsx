import { IconBell } from '@tabler/icons-react'
import { Fragment } from 'react'
import type { KeyView } from '../../../../src/shared/shapes.ts'
import { PageLink } from '../../parts/links.tsx'
import { HINTS, noticesOf } from './key-words.ts'
import classes from './keys.module.css'

const NAMES_MAX = 4

/** What asks for attention among the keys, with what to do. Nothing, if nothing does. */
export function KeyNotices({ org, keys }: { org: string; keys: readonly KeyView[] }) {
  const notices = noticesOf(keys)
  if (notices.length === 0) return null
  return (
    <div className={classes.notice} role="note" aria-label="Keys that are worth a look">
      <IconBell size={18} aria-hidden />
      <ul>
        {notices.map(({ hint, keys: named }) => (
          <li key={hint}>
            <b>{HINTS[hint].label}:</b> <KeyLinks org={org} keys={named} />. {HINTS[hint].advice}
          </li>
        ))}
      </ul>
    </div>
  )
}

function KeyLinks({ org, keys }: { org: string; keys: readonly KeyView[] }) {
  const more = keys.length - NAMES_MAX
  return (
    <>
      {keys.slice(0, NAMES_MAX).map((key, n) => (
        <Fragment key={key.id}>
          {n > 0 && ', '}
          <PageLink to="/app/o/$org/keys/$key" params={{ org, key: key.id }} inherit underline="always">
            {key.name}
          </PageLink>
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  )
}
