import { Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'
import { IconSearch } from './icons.tsx'
import { useTypedText } from './use-typed-text.ts'

const SETTLED_AFTER_MS = 300

/**
 * A search that the server answers: `onSettle` receives the text once typing pauses. With `isMain`, the slash key moves the focus
 * to it, as in the documentation.
 */
export function SearchField({
  label,
  wanted,
  onSettle,
  isMain = false,
}: {
  label: string
  wanted: string
  onSettle: (text: string) => void
  isMain?: boolean
}) {
  const field = useRef<HTMLInputElement>(null)
  const focus = () => document.querySelector('[role="dialog"]') === null && field.current?.focus()
  useHotkeys(isMain ? [['/', focus]] : [])
  const { text, setText, settle } = useTypedText(wanted, onSettle)
  const settleSoon = useDebouncedCallback(settle, SETTLED_AFTER_MS)
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      type="search"
      ref={field}
      {...(isMain && {
        'aria-keyshortcuts': '/',
        rightSection: (
          <Kbd aria-hidden visibleFrom="sm">
            /
          </Kbd>
        ),
      })}
      w={{ base: '100%', xs: 320 }}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        settleSoon(event.currentTarget.value)
      }}
    />
  )
}
